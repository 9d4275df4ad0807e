import { Button, Stack, TextInput } from '@mantine/core'
import { schemaResolver, useForm } from '@mantine/form'
import { useMutation } from '@tanstack/react-query'
import { MASTER_PASSWORD_MIN, MasterLogin, MasterLoginAnswer } from '../../shared/auth.ts'
import { ApiError, api, messageOf } from '../api.ts'
import { Notice } from '../ui/Notice.tsx'
import { toast } from '../ui/toast.tsx'
import { PasswordField } from './PasswordField.tsx'
import { SignInPage } from './SignInPage.tsx'
import { keepSession, tellOtherTabs } from './session.ts'

const MasterLoginForm = MasterLogin.extend({
  password: MasterLogin.shape.password.min(MASTER_PASSWORD_MIN, 'Password must be at least 8 characters'),
})

export function MasterLoginScreen() {
  const form = useForm<MasterLogin>({
    mode: 'uncontrolled',
    initialValues: { email: '', password: '' },
    validate: schemaResolver(MasterLoginForm, { sync: true }),
  })
  const login = useMutation({
    mutationFn: (values: MasterLogin) => api(MasterLoginAnswer, 'POST', '/auth/master-login', values),
    onSuccess: ({ token, user }) => {
      toast.success('Master login successful!')
      keepSession(token, user)
      tellOtherTabs()
    },
  })

  return (
    <SignInPage title="Master Admin Login" note="Master admin access only">
      <form noValidate onSubmit={form.onSubmit((values) => login.mutate(values))}>
        <Stack gap="md">
          {login.isError ? <Notice tone="bad">{failureWords(login.error)}</Notice> : null}
          <TextInput
            label="Email"
            type="email"
            size="md"
            autoComplete="username"
            autoFocus
            key={form.key('email')}
            {...form.getInputProps('email')}
          />
          <PasswordField
            label="Password"
            size="md"
            autoComplete="current-password"
            key={form.key('password')}
            {...form.getInputProps('password')}
          />
          <Button type="submit" size="md" fullWidth mt="xs" loading={login.isPending}>
            Sign In
          </Button>
        </Stack>
      </form>
    </SignInPage>
  )
}

function failureWords(error: unknown): string {
  const unanswered = error instanceof ApiError && error.status === 0
  return unanswered ? 'Network error. Please try again.' : messageOf(error, 'Login failed')
}
