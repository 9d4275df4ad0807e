import { Anchor, Group, Kbd } from '@mantine/core'
import { memo, useEffect, useEffectEvent } from 'react'
import { z } from 'zod'
import { handlesOwnKeys } from '../../../ui/handles-own-keys.ts'
import { useStored } from '../../../ui/use-stored.ts'
import classes from './controls.module.css'
import { ROOM_ACT_KEYS, ROOM_KEYS } from './room-keys.ts'

type RoomKeyHandlers = { disabled: boolean; onNext: () => void; onMuteCurrent: () => void; onMuteAll: () => void }

const IsOn = z.boolean()

export function useShortcutsSetting() {
  return useStored('parley.room-keys', IsOn, true)
}

/**
 * Returns the letter on the key; with Alt some systems write another character, and then the key's position decides.
 */
function letterOf({ key, code }: KeyboardEvent): string {
  return /^[a-z]$/i.test(key) ? key.toUpperCase() : code.replace('Key', '')
}

function actOf(event: KeyboardEvent) {
  const letter = letterOf(event)
  const ofLetter = ROOM_ACT_KEYS.filter(({ keys }) => keys.at(-1) === letter)
  const exact = ofLetter.find(({ keys }) => keys.some((key) => key === 'Shift') === event.shiftKey)
  return (exact ?? ofLetter[0])?.act
}

/** Keys for urgent actions. */
export function useRoomKeys({ disabled, onNext, onMuteCurrent, onMuteAll }: RoomKeyHandlers) {
  const [isOn] = useShortcutsSetting()
  const handleKey = useEffectEvent((event: KeyboardEvent) => {
    if (!event.altKey || event.ctrlKey || event.metaKey || handlesOwnKeys(event.target)) return
    const act = actOf(event)
    if (!act) return
    event.preventDefault()
    if (disabled || event.repeat) return // a key that is held down acts once
    if (act === 'next') onNext()
    else if (act === 'mute-all') onMuteAll()
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
        ? ROOM_KEYS.map(({ keys, label }) => (
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
