import { Box, Button, Group, PasswordInput, type PasswordInputProps } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconWand } from '@tabler/icons-react'
import { generatePassword } from '../lib/generate-password.ts'

type NewPasswordFieldProps = Omit<PasswordInputProps, 'visible' | 'onVisibilityChange'> & {
  onGenerate: (password: string) => void
  length?: number
}

/** Enters or generates a new password for another person. */
export function NewPasswordField({ onGenerate, length, ...rest }: NewPasswordFieldProps) {
  const [visible, { toggle, open }] = useDisclosure(false)

  function handleGenerate() {
    onGenerate(generatePassword(undefined, length))
    open() // the host must be able to read it out
  }

  return (
    <PasswordInput
      {...rest}
      autoComplete="new-password"
      visible={visible}
      onVisibilityChange={toggle}
      visibilityToggleButtonProps={{
        'aria-label': visible ? 'Hide password' : 'Show password',
        tabIndex: 0,
        'aria-hidden': false,
      }}
      inputContainer={(field) => (
        <Group gap="xs" wrap="nowrap" align="flex-start">
          <Box flex={1} miw={0}>
            {field}
          </Box>
          <Button variant="default" leftSection={<IconWand size={16} aria-hidden="true" />} onClick={handleGenerate}>
            Generate
          </Button>
        </Group>
      )}
    />
  )
}
