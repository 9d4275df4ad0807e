import { NumberInput, SimpleGrid, Switch, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { NewPasswordField } from '../../../ui/NewPasswordField.tsx'
import { HOST_PASSWORD_LENGTH } from '../add/AddHostFields.tsx'
import type { EditHostValues } from './edit-host-form.ts'

type EditHostFieldsProps = { form: UseFormReturnType<EditHostValues>; zoomEmailLocked: boolean }

export function EditHostFields({ form, zoomEmailLocked }: EditHostFieldsProps) {
  return (
    <SimpleGrid type="container" cols={{ base: 1, '36rem': 2 }} spacing={20} verticalSpacing="md">
      <TextInput
        label="Username"
        required
        autoComplete="off"
        spellCheck={false}
        data-autofocus
        {...form.getInputProps('username')}
      />
      <TextInput label="Email" type="email" required autoComplete="off" {...form.getInputProps('email')} />
      <NewPasswordField
        label="New Password"
        length={HOST_PASSWORD_LENGTH}
        description="Leave blank to keep the current one. Minimum 6 characters"
        onGenerate={(password) => form.setFieldValue('password', password)}
        {...form.getInputProps('password')}
      />
      <TextInput label="Mobile" type="tel" autoComplete="off" {...form.getInputProps('mobile')} />
      <TextInput label="Room name" autoComplete="off" {...form.getInputProps('room_name')} />
      <NumberInput
        label="Storage limit"
        description="1 to 100 GB"
        suffix=" GB"
        clampBehavior="none"
        allowNegative={false}
        {...form.getInputProps('storage_limit_gb')}
      />
      <TextInput
        label="Zoom email"
        type="email"
        autoComplete="off"
        description="Zoom account to connect. Leave blank to use the email above."
        readOnly={zoomEmailLocked}
        {...form.getInputProps('zoom_user_email')}
      />
      <Switch
        pt={22}
        label="Recording enabled"
        description="Meetings of this host are recorded to Zoom's cloud"
        {...form.getInputProps('recording_enabled', { type: 'checkbox' })}
      />
    </SimpleGrid>
  )
}
