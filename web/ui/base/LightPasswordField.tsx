import { IconEye, IconEyeOff } from '@tabler/icons-react'
import { type KeyboardEvent, type ReactNode, useState } from 'react'
import { IconButton } from './Button.tsx'
import { TextField, type TextFieldProps } from './TextField.tsx'

const WORDS = { show: 'Show password', hide: 'Hide password', capsLock: 'Caps Lock is on' }

type PasswordFieldProps = Omit<TextFieldProps, 'type' | 'aside' | 'onKeyDown' | 'onKeyUp' | 'onBlur'> & {
  words?: { show: string; hide: string; capsLock?: string }
  /** Stands at the end of the line of the hint. */
  strength?: ReactNode
}

/** A password field that can show its text, and that warns while Caps Lock is on. */
export function LightPasswordField({ words = WORDS, hint, strength, ...props }: PasswordFieldProps) {
  const [visible, setVisible] = useState(false)
  const [capsLock, setCapsLock] = useState(false)

  function handleKey(event: KeyboardEvent) {
    setCapsLock(event.getModifierState('CapsLock'))
  }

  const note = capsLock && words.capsLock ? <output>{words.capsLock}</output> : hint
  const Icon = visible ? IconEyeOff : IconEye
  return (
    <TextField
      {...props}
      type={visible ? 'text' : 'password'}
      autoCapitalize="none"
      spellCheck={false}
      dir="ltr"
      hint={
        strength ? (
          <>
            {note}
            {strength}
          </>
        ) : (
          note
        )
      }
      onKeyDown={handleKey}
      onKeyUp={handleKey}
      onBlur={() => setCapsLock(false)}
      aside={
        <IconButton label={visible ? words.hide : words.show} onClick={() => setVisible(!visible)}>
          <Icon size="1.3em" stroke={1.75} aria-hidden="true" />
        </IconButton>
      }
    />
  )
}
