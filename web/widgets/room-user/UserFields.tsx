import { TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import type { UserGroup } from '../../../shared/user-groups.ts'
import { NewPasswordField } from '../../ui/NewPasswordField.tsx'
import { GroupChoice } from '../user-groups/GroupChoice.tsx'

type Values = { username: string; user_id: string; password: string; reference: string; group_ids: string[] }

type UserFieldsProps = {
  form: UseFormReturnType<Values>
  groups: readonly UserGroup[]
  isNew: boolean
  userIdHint?: string | undefined
}

export function UserFields({ form, groups, isNew, userIdHint }: UserFieldsProps) {
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
      <GroupChoice
        groups={groups}
        value={form.values.group_ids}
        onChange={(ids) => form.setFieldValue('group_ids', ids)}
        error={form.errors.group_ids}
      />
    </>
  )
}
