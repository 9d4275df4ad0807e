import { Button, Stack, TextInput } from '@mantine/core'
import { schemaResolver, useForm } from '@mantine/form'
import { useMutation } from '@tanstack/react-query'
import { HostLogin, HostLoginAnswer } from '../../shared/auth.ts'
import { api, messageOf } from '../api.ts'
import { toast } from '../ui/toast.tsx'
import { PasswordField } from './PasswordField.tsx'
import { SignInPage } from './SignInPage.tsx'
import { keepSession, tellOtherTabs } from './session.ts'

export function HostLoginScreen() {
  const form = useForm<HostLogin>({
    mode: 'uncontrolled',
    initialValues: { username: '', password: '' },
    validate: schemaResolver(HostLogin, { sync: true }),
  })
  const login = useMutation({
    mutationFn: (values: HostLogin) => api(HostLoginAnswer, 'POST', '/auth/host/login', values),
    onSuccess: ({ data }) => {
      toast.success('Login successful!')
      keepSession(data.token, data.user)
      tellOtherTabs()
    },
    onError: (error) => toast.error(messageOf(error, 'Login failed')),
  })

  return (
    <SignInPage title="Host Login" note="Contact your administrator for login credentials">
      <form noValidate onSubmit={form.onSubmit((values) => login.mutate(values))}>
        <Stack gap="md">
          <TextInput
            label="Username"
            size="md"
            autoComplete="username"
            autoCapitalize="none"
            spellCheck={false}
            autoFocus
            key={form.key('username')}
            {...form.getInputProps('username')}
          />
          <PasswordField
            label="Password"
            size="md"
            autoComplete="current-password"
            key={form.key('password')}
            {...form.getInputProps('password')}
          />
          <Button type="submit" size="md" fullWidth mt="xs" loading={login.isPending}>
            Sign in
          </Button>
        </Stack>
      </form>
    </SignInPage>
  )
}
