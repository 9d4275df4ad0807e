import { Button } from '@mantine/core'
import { IconMicrophone, IconMicrophoneOff, IconPlayerTrackNext } from '@tabler/icons-react'
import { memo } from 'react'
import { useStore } from 'zustand'
import { useAction } from '../../../ui/actions.ts'
import { confirm } from '../../../ui/confirm.tsx'
import { useSeat } from '../../../widgets/seat/seat-context.ts'
import { isAnybodyMutable } from '../../../widgets/seat/seat-view.ts'
import type { LiveRoomState } from '../live-room/live-room.ts'
import { isMuteAllConfirmed, isMuteAllPending, type LiveRoomStore } from '../live-room/live-room-store.ts'
import { countOnlineUsers } from './count-online-users.ts'
import { CONFIRM_ABOVE, type OnUndoable, type StartDelivery, useMuteAll } from './mute-all.ts'
import { isMuteAllInZoom } from './mute-all-in-zoom.ts'
import { useRoomKeys } from './RoomKeys.tsx'
import { useIsMuteAllLate } from './use-is-mute-all-late.ts'

type MuteButtonsProps = {
  store: LiveRoomStore
  disabled: boolean
  className?: string | undefined
  isPhone: boolean
  startDelivery: StartDelivery
  onUndoable: OnUndoable
  /** The turn before is under way. */
  isNextBusy: boolean
  onNext: () => void
  onMuteCurrent: () => void
}

const hasRaisedHands = ({ users }: LiveRoomState) => users.some((user) => user.wants_to_speak)

/** Reads the users only when a button is pressed, so that a change in the room does not render it again. */
export const MuteButtons = memo(function MuteButtons(props: MuteButtonsProps) {
  const { store, disabled, className, isPhone, startDelivery, onUndoable, isNextBusy, onNext, onMuteCurrent } = props
  const muteAll = useMuteAll(store, startDelivery, onUndoable)
  const seat = useSeat()
  const isAnybodyInZoom = () => seat !== null && isAnybodyMutable(seat.store.getState())
  // Mute All is never out of reach; a second Unmute All waits until the first is answered or shown by the stream.
  const isPending = useStore(store, isMuteAllPending)
  const isOn = useStore(store, isMuteAllConfirmed)
  const isLate = useIsMuteAllLate(store)
  useRoomKeys({ disabled, onNext, onMuteCurrent, onMuteAll: () => void handleMuteAll() })

  const hasHands = useStore(store, hasRaisedHands)
  useAction('Mute All', IconMicrophoneOff, () => void handleMuteAll(), !disabled)
  useAction('Unmute All', IconMicrophone, () => void handleUnmuteAll(), !(disabled || isPending))
  useAction('Next speaker', IconPlayerTrackNext, () => onNext(), hasHands && !disabled && !isNextBusy)

  async function handleMuteAll() {
    const reachesZoom = isMuteAllInZoom() && isAnybodyInZoom()
    if (reachesZoom || countOnlineUsers(store) > 0) await muteAll({ action: 'mute' })
  }

  async function handleUnmuteAll() {
    if (!isAnybodyInZoom() && countOnlineUsers(store) === 0) return
    const count = store.getState().users.length
    const { hostMuteAll, lastAct } = store.getState()
    const expect = { host_mute_all_active: hostMuteAll.active, ...(lastAct && { act: lastAct.act }) }
    const question = {
      title: `Unmute ${count} users?`,
      body: 'Each of them can then be heard by everyone in the room.',
      confirmLabel: 'Unmute All',
    }
    if (count > CONFIRM_ABOVE && !(await confirm(question))) return
    await muteAll({ action: 'unmute', expect })
  }

  return (
    <>
      <Button
        className={className}
        variant="filled"
        data-on={isOn || undefined}
        leftSection={
          <>
            <IconMicrophoneOff size={17} aria-hidden="true" />
            {/* A phone's bar has no room for the sentence, which only screen readers get there. */}
            {isPhone && (isOn || isLate) ? <span aria-hidden="true">{isLate ? '…' : 'on'}</span> : null}
          </>
        }
        disabled={disabled}
        onClick={handleMuteAll}
      >
        Mute All
      </Button>
      <Button
        className={className}
        variant="default"
        leftSection={<IconMicrophone size={17} aria-hidden="true" />}
        disabled={disabled || isPending}
        onClick={handleUnmuteAll}
      >
        Unmute All
      </Button>
    </>
  )
})
