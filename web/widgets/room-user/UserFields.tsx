import { TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { NewPasswordField } from '../../ui/NewPasswordField.tsx'

type Values = { username: string; user_id: string; password: string; reference: string }

type UserFieldsProps = { form: UseFormReturnType<Values>; isNew: boolean; userIdHint?: string | undefined }

export function UserFields({ form, isNew, userIdHint }: UserFieldsProps) {
  return (
    <>
      <TextInput
        label="Username"
        description={isNew ? 'What the user types to sign in, and the name on the tile' : undefined}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        withAsterisk
        data-autofocus
        {...form.getInputProps('username')}
      />
      <TextInput
        label="User ID"
        description={userIdHint}
        autoComplete="off"
        spellCheck={false}
        withAsterisk
        {...form.getInputProps('user_id')}
      />
      <NewPasswordField
        label={isNew ? 'Password' : 'New Password (leave blank to keep current)'}
        withAsterisk={isNew}
        onGenerate={(password) => form.setFieldValue('password', password)}
        {...form.getInputProps('password')}
      />
      <TextInput
        label="Reference"
        description={isNew ? 'Anything that helps you know who this is; optional' : undefined}
        autoComplete="off"
        {...form.getInputProps('reference')}
      />
    </>
  )
}
