import { IconEye, IconEyeOff } from '@tabler/icons-react'
import { type KeyboardEvent, useState } from 'react'
import { IconButton } from './Button.tsx'
import { TextField, type TextFieldProps } from './TextField.tsx'

type PasswordFieldProps = Omit<TextFieldProps, 'type' | 'aside' | 'hint' | 'onKeyDown' | 'onKeyUp' | 'onBlur'>

/** A password field that can show its text, and that warns while Caps Lock is on. */
export function PasswordField(props: PasswordFieldProps) {
  const [visible, setVisible] = useState(false)
  const [capsLock, setCapsLock] = useState(false)

  function handleKey(event: KeyboardEvent) {
    setCapsLock(event.getModifierState('CapsLock'))
  }

  const Icon = visible ? IconEyeOff : IconEye
  return (
    <TextField
      {...props}
      type={visible ? 'text' : 'password'}
      autoCapitalize="none"
      spellCheck={false}
      hint={capsLock ? 'Caps Lock is on' : undefined}
      onKeyDown={handleKey}
      onKeyUp={handleKey}
      onBlur={() => setCapsLock(false)}
      aside={
        <IconButton label={visible ? 'Hide password' : 'Show password'} onClick={() => setVisible(!visible)}>
          <Icon size={18} stroke={1.75} aria-hidden="true" />
        </IconButton>
      }
    />
  )
}
