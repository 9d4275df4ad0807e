import { NumberInput, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import {
  EmailField,
  HostFields,
  HostPasswordField,
  MobileField,
  RecordingSwitch,
  RoomNameField,
  UsernameField,
} from '../host-fields.tsx'
import type { EditHostValues } from './edit-host-form.ts'

type EditHostFieldsProps = { form: UseFormReturnType<EditHostValues>; zoomEmailLocked: boolean }

export function EditHostFields({ form, zoomEmailLocked }: EditHostFieldsProps) {
  return (
    <HostFields>
      <UsernameField data-autofocus {...form.getInputProps('username')} />
      <EmailField {...form.getInputProps('email')} />
      <HostPasswordField
        label="New Password"
        description="Leave blank to keep the current one. Minimum 6 characters"
        onGenerate={(password) => form.setFieldValue('password', password)}
        {...form.getInputProps('password')}
      />
      <MobileField {...form.getInputProps('mobile')} />
      <RoomNameField {...form.getInputProps('room_name')} />
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
      <RecordingSwitch {...form.getInputProps('recording_enabled', { type: 'checkbox' })} />
    </HostFields>
  )
}
