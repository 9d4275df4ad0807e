import { IconBook, IconExternalLink, IconKeyboard, IconMoon, IconPlayerPlay, IconSun } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import { useNavigate } from 'react-router'
import { useSession } from '../../lib/session/session.ts'
import { site } from '../../lib/site.ts'
import { hostRoom } from '../../queries/rooms.ts'
import { type Action, useOfferedActions } from '../../ui/actions.ts'
import { chooseScheme, currentScheme, subscribeToScheme } from '../../ui/base/color-scheme.ts'
import { useStartMeeting, useStartProgress } from '../../widgets/meeting/start-meeting.ts'
import { openKeyboardHelp } from './keyboard-help.ts'

/** Lists the actions of every page, and those that the open page offers. */
export function useActions(isOpen: boolean): Action[] {
  const offered = useOfferedActions()
  const isDark = useSyncExternalStore(subscribeToScheme, currentScheme) === 'dark'
  return [
    ...offered,
    ...useMeetingAction(isOpen),
    {
      label: isDark ? 'Use light colours' : 'Use dark colours',
      synonyms: ['theme', isDark ? 'light mode' : 'dark mode'],
      icon: isDark ? IconSun : IconMoon,
      run: () => chooseScheme(isDark ? 'light' : 'dark'),
    },
    { label: 'Keyboard shortcuts', synonyms: ['keys', 'help', '?'], icon: IconKeyboard, run: openKeyboardHelp },
  ]
}

function useMeetingAction(isOpen: boolean): Action[] {
  const isHost = useSession().user?.role === 'host'
  const { data: room } = useQuery({ ...hostRoom, enabled: isHost && isOpen })
  const startMeeting = useStartMeeting()
  const navigate = useNavigate()
  if (!isHost || room?.zoom_status !== 'connected') return []

  async function run() {
    await startMeeting()
    // This page may not show the link that the host then has to press.
    if (useStartProgress.getState().phase === 'blocked') void navigate('/host/rooms')
  }
  return [
    room.is_live
      ? { label: 'Open in Zoom', synonyms: ['meeting'], icon: IconExternalLink, run: () => void run() }
      : { label: 'Start meeting', synonyms: ['meeting', 'zoom'], icon: IconPlayerPlay, run: () => void run() },
  ]
}

/** Opens a new tab, so that the room stays open. */
export function docsAction(words: string): Action {
  const address = `${site.public_url}/documentation?${new URLSearchParams({ search: words })}`
  return {
    label: `Search the documentation for “${words}”`,
    icon: IconBook,
    run: () => void window.open(address, '_blank', 'noopener'),
  }
}
