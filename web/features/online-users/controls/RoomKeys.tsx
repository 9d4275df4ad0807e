import { Anchor, Group, Kbd } from '@mantine/core'
import { memo, useEffect, useEffectEvent } from 'react'
import { z } from 'zod'
import { useStored } from '../../../ui/use-stored.ts'
import classes from './controls.module.css'

type RoomKeyHandlers = { disabled: boolean; onNext: () => void; onMuteCurrent: () => void; onMuteAll: () => void }

const KEYS = [
  { keys: ['A–Z'], label: 'find a user' },
  { keys: ['Esc'], label: 'show all' },
  { keys: ['Alt', 'N'], label: 'next' },
  { keys: ['Alt', 'M'], label: 'mute current speaker' },
  { keys: ['Alt', 'Shift', 'M'], label: 'mute all' },
] as const

const IsOn = z.boolean()

export function useShortcutsSetting() {
  return useStored('parley.room-keys', IsOn, true)
}

const WRITES = 'textarea, select, [contenteditable], input:not([type=radio], [type=checkbox], [type=button])'

/** True if a key belongs to a field, a menu or a dialog. */
export function handlesOwnKeys(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest(`${WRITES}, [role=dialog], [role=menu], [role=listbox]`) !== null
}

/**
 * Returns the letter on the key; with Alt some systems write another character, and then the key's position decides.
 */
function letterOf({ key, code }: KeyboardEvent): string {
  return /^[a-z]$/i.test(key) ? key.toUpperCase() : code.replace('Key', '')
}

/** Keys for urgent actions. They need Alt, since letters filter the users. */
export function useRoomKeys({ disabled, onNext, onMuteCurrent, onMuteAll }: RoomKeyHandlers) {
  const [isOn] = useShortcutsSetting()
  const handleKey = useEffectEvent((event: KeyboardEvent) => {
    if (!event.altKey || event.ctrlKey || event.metaKey || handlesOwnKeys(event.target)) return
    const letter = letterOf(event)
    if (letter !== 'N' && letter !== 'M') return
    event.preventDefault()
    if (disabled || event.repeat) return // a key that is held down acts once
    if (letter === 'N') onNext()
    else if (event.shiftKey) onMuteAll()
    else onMuteCurrent()
  })
  useEffect(() => {
    if (!isOn) return
    const listen = (event: KeyboardEvent) => handleKey(event)
    document.addEventListener('keydown', listen)
    return () => document.removeEventListener('keydown', listen)
  }, [isOn])
}

/** The list of keys, which is shown only if a keyboard is likely. */
export const RoomKeys = memo(function RoomKeys() {
  const [isOn, setOn] = useShortcutsSetting()
  return (
    <Group
      component="p"
      className={classes.keys}
      gap="0.25rem 0.75rem"
      flex="none"
      m={0}
      px={18}
      py={8}
      bg="var(--surface-sunken)"
      fz={12}
      c="dimmed"
    >
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
    </Group>
  )
})
