import { Button, Paper, Stack, Text, Title } from '@mantine/core'
import { schemaResolver, useForm } from '@mantine/form'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { ChangePassword } from '../../../shared/account.ts'
import type { SessionUser } from '../../../shared/auth.ts'
import { OWN_PASSWORD_MIN } from '../../../shared/password-lengths.ts'
import { fieldErrorsOf, generalMessageOf, isOutcomeUnknown } from '../../lib/api-client.ts'
import { formatMoment } from '../../ui/format-date.ts'
import { Notice } from '../../ui/Notice.tsx'
import { PasswordField } from '../../ui/PasswordField.tsx'
import { toast } from '../../ui/toast.tsx'
import { PasswordStrength } from '../../widgets/password/PasswordStrength.tsx'
import { account, useChangePassword } from './queries.ts'

const EMPTY: ChangePassword = { current_password: '', new_password: '' }

export function PasswordForm() {
  const { data } = useQuery(account)
  const client = useQueryClient()
  const change = useChangePassword()
  const form = useForm({ initialValues: EMPTY, validate: schemaResolver(ChangePassword, { sync: true }) })
  const changedAt = data?.password_changed_at
  const fallback = isOutcomeUnknown(change.error)
    ? 'It is not known whether the password was changed. Press again with the same passwords.'
    : 'The password could not be changed. Please try again.'
  const failure = generalMessageOf(change.error, EMPTY, fallback)

  function handleSubmit(passwords: ChangePassword) {
    change.mutate(passwords, {
      onSuccess: ({ message = 'Password changed.' }) => {
        form.reset()
        toast.success(message)
      },
      onError: (error) => {
        const now = client.getQueryData(account.queryKey)?.password_changed_at // fetched again since the call
        if (!isOutcomeUnknown(error) || !data || now === undefined || now === changedAt)
          return form.setErrors(fieldErrorsOf(error))
        form.reset()
        change.reset()
        toast.success('Password changed.')
      },
    })
  }

  return (
    <Paper component="section" p="lg" aria-labelledby="own-password">
      <form noValidate onSubmit={form.onSubmit(handleSubmit)}>
        <Stack gap={20} maw="28rem">
          <div>
            <Title order={2} size="h3" id="own-password">
              Password
            </Title>
            <Text size="sm" c="dimmed" mt={4}>
              {changedAt ? `Last changed on ${formatMoment(changedAt)}. ` : null}
              Changing it signs you out everywhere else.
            </Text>
          </div>
          <input
            type="text"
            name="username"
            autoComplete="username"
            value={data?.user.username ?? ''}
            readOnly
            hidden
          />
          <PasswordField
            label="Current password"
            autoComplete="current-password"
            {...form.getInputProps('current_password')}
          />
          <PasswordField
            label="New password"
            autoComplete="new-password"
            description={`At least ${OWN_PASSWORD_MIN} characters`}
            strength={<PasswordStrength password={form.values.new_password} names={namesOf(data?.user)} />}
            {...form.getInputProps('new_password')}
          />
          {failure ? <Notice tone="bad">{failure}</Notice> : null}
          <Button type="submit" loading={change.isPending} style={{ alignSelf: 'flex-start' }}>
            Change password
          </Button>
        </Stack>
      </form>
    </Paper>
  )
}

function namesOf(user: SessionUser | undefined): string {
  if (!user) return ''
  return 'email' in user ? `${user.username} ${user.email}` : user.username
}
