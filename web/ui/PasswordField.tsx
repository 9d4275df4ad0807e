import { Group, PasswordInput, type PasswordInputProps } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { type KeyboardEvent, type ReactNode, useState } from 'react'

type PasswordFieldProps = Omit<PasswordInputProps, 'visible' | 'onVisibilityChange' | 'onKeyDown' | 'onKeyUp'> & {
  /** Stands at the end of the line of the description. */
  strength?: ReactNode
}

/** A password field that can show its text, and that warns while Caps Lock is on. */
export function PasswordField({ description, strength, onBlur, ...rest }: PasswordFieldProps) {
  const [visible, { toggle }] = useDisclosure(false)
  const [capsLock, setCapsLock] = useState(false)

  function handleKey(event: KeyboardEvent) {
    setCapsLock(event.getModifierState('CapsLock'))
  }

  const note = capsLock ? <output>Caps Lock is on</output> : description
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
      description={
        strength ? (
          <Group component="span" gap="xs" wrap="nowrap">
            <span>{note}</span>
            {strength}
          </Group>
        ) : (
          note
        )
      }
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
