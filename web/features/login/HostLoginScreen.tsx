import { messageOf } from '../../lib/send.ts'
import { signIn } from '../../lib/session/sign-in.ts'
import { Button } from '../../ui/Button.tsx'
import { toast } from '../../ui/toast.tsx'
import { LightPasswordField } from './LightPasswordField.tsx'
import { LightTextField } from './LightTextField.tsx'
import { SignInPage } from './SignInPage.tsx'
import { hostLoginProblems } from './sign-in-rules.ts'
import { useSignInForm } from './use-sign-in-form.ts'

export function HostLoginScreen() {
  const { busy, form, field } = useSignInForm({
    problemsOf: hostLoginProblems,
    async submit(values) {
      await signIn('/auth/host/login', values)
      toast.success('Login successful!')
    },
    onError: (error) => toast.error(messageOf(error, 'Login failed')),
  })

  return (
    <SignInPage title="Host Login" note="Contact your administrator for login credentials" form={form}>
      <LightTextField
        label="Username"
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        autoFocus
        {...field('username')}
      />
      <LightPasswordField label="Password" autoComplete="current-password" {...field('password')} />
      <Button type="submit" size="md" wide busy={busy}>
        Sign in
      </Button>
    </SignInPage>
  )
}
