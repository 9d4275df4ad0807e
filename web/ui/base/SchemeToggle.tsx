import { IconMoon, IconSun } from '@tabler/icons-react'
import { useSyncExternalStore } from 'react'
import { IconButton } from './Button.tsx'
import { chooseScheme, currentScheme, subscribeToScheme } from './color-scheme.ts'

/** Switches between light and dark; until it is pressed the page follows the system. */
export function SchemeToggle() {
  const isDark = useSyncExternalStore(subscribeToScheme, currentScheme) === 'dark'
  return (
    <IconButton
      label={isDark ? 'Use light colours' : 'Use dark colours'}
      onClick={() => chooseScheme(isDark ? 'light' : 'dark')}
    >
      {isDark ? <IconSun size={19} stroke={1.75} /> : <IconMoon size={19} stroke={1.75} />}
    </IconButton>
  )
}
