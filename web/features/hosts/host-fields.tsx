import { SimpleGrid, Switch, type SwitchProps, TextInput, type TextInputProps } from '@mantine/core'
import type { ComponentProps, ReactNode } from 'react'
import { NewPasswordField } from '../../ui/NewPasswordField.tsx'

export function HostFields({ children }: { children: ReactNode }) {
  return (
    <SimpleGrid type="container" cols={{ base: 1, '36rem': 2 }} spacing={20} verticalSpacing="md">
      {children}
    </SimpleGrid>
  )
}

export function EmailField(props: TextInputProps) {
  return <TextInput label="Email" type="email" required autoComplete="off" {...props} />
}

export function UsernameField(props: TextInputProps) {
  return <TextInput label="Username" required autoComplete="off" spellCheck={false} {...props} />
}

/** A host's password opens a whole room, so it is longer than one that is typed on a phone. */
const PASSWORD_LENGTH = 16

export function HostPasswordField(props: Omit<ComponentProps<typeof NewPasswordField>, 'length'>) {
  return <NewPasswordField length={PASSWORD_LENGTH} {...props} />
}

export function MobileField(props: TextInputProps) {
  return <TextInput label="Mobile" type="tel" autoComplete="off" {...props} />
}

export function RoomNameField(props: TextInputProps) {
  return <TextInput label="Room name" autoComplete="off" {...props} />
}

export function RecordingSwitch(props: SwitchProps) {
  return (
    <Switch
      pt={22}
      label="Recording enabled"
      description="Meetings of this host are recorded to Zoom's cloud"
      {...props}
    />
  )
}
