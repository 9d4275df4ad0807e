import { NativeSelect, SimpleGrid, Switch, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { STORAGE_OPTIONS_GB } from '../../../../shared/hosts.ts'
import { SOLD_MONTHS } from '../../../../shared/subscriptions.ts'
import { NewPasswordField } from '../../../ui/NewPasswordField.tsx'
import { monthsWords } from '../../../widgets/subscription/subscription-display.ts'

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

/** A host's password opens a whole room, so it is longer than one that is typed on a phone. */
export const HOST_PASSWORD_LENGTH = 16

type AddHostFieldsProps = { form: UseFormReturnType<AddHostValues>; emailLocked: boolean }

export function AddHostFields({ form, emailLocked }: AddHostFieldsProps) {
  return (
    <SimpleGrid type="container" cols={{ base: 1, '36rem': 2 }} spacing={20} verticalSpacing="md">
      <TextInput
        label="Email"
        type="email"
        required
        autoComplete="off"
        data-autofocus
        readOnly={emailLocked}
        {...form.getInputProps('email')}
      />
      <TextInput label="Username" required autoComplete="off" spellCheck={false} {...form.getInputProps('username')} />
      <NewPasswordField
        label="Password"
        required
        length={HOST_PASSWORD_LENGTH}
        description="Minimum 6 characters"
        onGenerate={(password) => form.setFieldValue('password', password)}
        {...form.getInputProps('password')}
      />
      <TextInput label="Mobile" type="tel" autoComplete="off" {...form.getInputProps('mobile')} />
      <TextInput
        label="Room name"
        placeholder="ROOM-1"
        description="If left blank, it is the next number, as in ROOM-1"
        autoComplete="off"
        {...form.getInputProps('room_name')}
      />
      <NativeSelect
        label="Storage limit"
        data={STORAGE_OPTIONS_GB.map((gb) => ({ value: String(gb), label: `${gb} GB` }))}
        {...form.getInputProps('storage_limit_gb')}
      />
      <NativeSelect
        label="Subscription"
        data={SOLD_MONTHS.map((months) => ({ value: String(months), label: monthsWords(months) }))}
        {...form.getInputProps('subscription_type')}
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
