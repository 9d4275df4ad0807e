import { Kbd, UnstyledButton } from '@mantine/core'
import { memo } from 'react'
import classes from './KeyHints.module.css'
import { ROOM_KEYS, useKeysOn } from './use-room-keys.ts'

/** Which keys act on the room; only where there is likely to be a keyboard. */
export const KeyHints = memo(function KeyHints() {
  const [isOn, setOn] = useKeysOn()
  return (
    <p className={classes.keys}>
      {isOn
        ? ROOM_KEYS.map(({ keys, does }) => (
            <span key={does} className={classes.one}>
              {keys.map((key) => (
                <Kbd key={key} size="xs">
                  {key}
                </Kbd>
              ))}
              {does}
            </span>
          ))
        : 'Keys are off'}
      <UnstyledButton className={classes.toggle} onClick={() => setOn(!isOn)}>
        {isOn ? 'Turn keys off' : 'Turn keys on'}
      </UnstyledButton>
    </p>
  )
})
