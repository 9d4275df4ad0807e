import { Anchor, Group, Kbd } from '@mantine/core'
import { useHotkeys, useLocalStorage } from '@mantine/hooks'
import { memo } from 'react'
import classes from './controls.module.css'

type RoomKeyHandlers = { disabled: boolean; onNext: () => void; onMuteCurrent: () => void; onMuteAll: () => void }

const KEYS = [
  { keys: ['N'], label: 'next' },
  { keys: ['M'], label: 'mute current speaker' },
  { keys: ['Shift', 'M'], label: 'mute all' },
] as const

function useKeysOn() {
  return useLocalStorage({ key: 'parley.room-keys', defaultValue: true, getInitialValueInEffect: false })
}

/** Keys for what has to be quick; people who use voice control or a foot pedal can switch them off. */
export function useRoomKeys({ disabled, onNext, onMuteCurrent, onMuteAll }: RoomKeyHandlers) {
  const [isOn] = useKeysOn()
  // A key that is held down acts once, and one pressed in an open menu or dialog not at all.
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

/** The list of keys; shown only where a keyboard is likely. */
export const RoomKeys = memo(function RoomKeys() {
  const [isOn, setOn] = useKeysOn()
  return (
    <p className={classes.keys}>
      {isOn
        ? KEYS.map(({ keys, label }) => (
            <Group key={label} component="span" gap={4}>
              {keys.map((key) => (
                <Kbd key={key} size="xs">
                  {key}
                </Kbd>
              ))}
              {label}
            </Group>
          ))
        : 'Keys are off'}
      <Anchor component="button" type="button" fz="inherit" mih={28} onClick={() => setOn(!isOn)}>
        {isOn ? 'Turn keys off' : 'Turn keys on'}
      </Anchor>
    </p>
  )
})
