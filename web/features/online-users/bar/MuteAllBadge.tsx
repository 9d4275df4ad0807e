import { Badge } from '@mantine/core'
import { IconHourglassHigh, IconMicrophoneOff } from '@tabler/icons-react'
import { useStore } from 'zustand'
import { useIsMuteAllLate } from '../controls/use-is-mute-all-late.ts'
import { isMuteAllConfirmed, isMuteAllOn, type LiveRoomStore } from '../live-room/live-room-store.ts'

/** Shows only the state that the server has confirmed: the network may delay a call while everybody is still heard. */
export function MuteAllBadge({ store }: { store: LiveRoomStore }) {
  const isOn = useStore(store, isMuteAllConfirmed)
  const isWanted = useStore(store, isMuteAllOn)
  const isLate = useIsMuteAllLate(store)

  if (isLate) {
    return (
      <Badge color="quiet" flex="none" aria-busy="true" leftSection={<IconHourglassHigh size={13} stroke={2.2} />}>
        Turning Mute All {isWanted ? 'on' : 'off'}…
      </Badge>
    )
  }
  return (
    <Badge
      color={isOn ? 'warn' : 'quiet'}
      flex="none"
      leftSection={isOn ? <IconMicrophoneOff size={13} stroke={2.2} /> : null}
    >
      Mute All is {isOn ? 'on' : 'off'}
    </Badge>
  )
}
