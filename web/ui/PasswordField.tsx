import { PasswordInput, type PasswordInputProps } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { type KeyboardEvent, useState } from 'react'

type PasswordFieldProps = Omit<PasswordInputProps, 'visible' | 'onVisibilityChange' | 'onKeyDown' | 'onKeyUp'>

/** A password field that can show its text, and that warns while Caps Lock is on. */
export function PasswordField({ description, onBlur, ...rest }: PasswordFieldProps) {
  const [visible, { toggle }] = useDisclosure(false)
  const [capsLock, setCapsLock] = useState(false)

  function handleKey(event: KeyboardEvent) {
    setCapsLock(event.getModifierState('CapsLock'))
  }

  return (
    <PasswordInput
      {...rest}
      visible={visible}
      onVisibilityChange={toggle}
      visibilityToggleButtonProps={{
        'aria-label': visible ? 'Hide password' : 'Show password',
        tabIndex: 0,
        'aria-hidden': false,
      }}
      description={capsLock ? <output>Caps Lock is on</output> : description}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      onKeyDown={handleKey}
      onKeyUp={handleKey}
      onBlur={(event) => {
        setCapsLock(false)
        onBlur?.(event)
      }}
    />
  )
}
