import { useHotkeys, useLocalStorage } from '@mantine/hooks'

type RoomKeys = { disabled: boolean; onNext: () => void; onMuteCurrent: () => void; onMuteAll: () => void }

export const ROOM_KEYS = [
  { keys: ['N'], does: 'next' },
  { keys: ['M'], does: 'mute who speaks' },
  { keys: ['Shift', 'M'], does: 'mute all' },
] as const

export function useKeysOn() {
  return useLocalStorage({ key: 'parley.room-keys', defaultValue: true, getInitialValueInEffect: false })
}

/** Keys for what has to be quick; they can be switched off, for those whose keyboard is a voice or a foot. */
export function useRoomKeys({ disabled, onNext, onMuteCurrent, onMuteAll }: RoomKeys) {
  const [isOn] = useKeysOn()
  // A key that is held down acts once, and one that is meant for an open menu or question not at all.
  const unless = (act: () => void) => (event: KeyboardEvent) => {
    const { target } = event
    const isElsewhere = target instanceof Element && target.closest('[role=dialog], [role=menu]') !== null
    if (isOn && !disabled && !event.repeat && !isElsewhere) act()
  }
  useHotkeys([
    ['N', unless(onNext)],
    ['M', unless(onMuteCurrent)],
    ['shift+M', unless(onMuteAll)],
  ])
}
