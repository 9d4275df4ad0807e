import { NativeSelect } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { STORAGE_OPTIONS_GB } from '../../../../shared/hosts.ts'
import { monthsText } from '../../../../shared/subscription-display.ts'
import { OFFERED_MONTHS } from '../../../../shared/subscriptions.ts'
import {
  EmailField,
  HostFields,
  HostPasswordField,
  MobileField,
  RecordingSwitch,
  RoomNameField,
  UsernameField,
} from '../host-fields.tsx'

/** The fields as form inputs hold them; a select's value is text. */
export type AddHostValues = {
  email: string
  username: string
  password: string
  mobile: string
  room_name: string
  recording_enabled: boolean
  storage_limit_gb: string
  subscription_type: string
}

type AddHostFieldsProps = { form: UseFormReturnType<AddHostValues>; emailLocked: boolean }

export function AddHostFields({ form, emailLocked }: AddHostFieldsProps) {
  return (
    <HostFields>
      <EmailField data-autofocus readOnly={emailLocked} {...form.getInputProps('email')} />
      <UsernameField {...form.getInputProps('username')} />
      <HostPasswordField
        label="Password"
        required
        description="Minimum 6 characters"
        onGenerate={(password) => form.setFieldValue('password', password)}
        {...form.getInputProps('password')}
      />
      <MobileField {...form.getInputProps('mobile')} />
      <RoomNameField
        placeholder="ROOM-1"
        description="If left blank, it is the next number, as in ROOM-1"
        {...form.getInputProps('room_name')}
      />
      <NativeSelect
        label="Storage limit"
        data={STORAGE_OPTIONS_GB.map((gb) => ({ value: String(gb), label: `${gb} GB` }))}
        {...form.getInputProps('storage_limit_gb')}
      />
      <NativeSelect
        label="Subscription"
        data={OFFERED_MONTHS.map((months) => ({ value: String(months), label: monthsText(months) }))}
        {...form.getInputProps('subscription_type')}
      />
      <RecordingSwitch {...form.getInputProps('recording_enabled', { type: 'checkbox' })} />
    </HostFields>
  )
}
