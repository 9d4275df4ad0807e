import { lightToast } from '../../lib/light-toast.ts'
import { messageOf } from '../../lib/send.ts'
import { signIn } from '../../lib/session/sign-in.ts'
import { Button } from '../../ui/base/Button.tsx'
import { LightPasswordField } from '../../ui/base/LightPasswordField.tsx'
import { TextField } from '../../ui/base/TextField.tsx'
import { SignInPage } from './SignInPage.tsx'
import { hostLoginErrors } from './sign-in-rules.ts'
import { useSignInForm } from './use-sign-in-form.ts'

export function HostLoginScreen() {
  const { busy, failure, form, field } = useSignInForm({
    problemsOf: hostLoginErrors,
    async submit(values) {
      await signIn('/auth/host/login', values)
      lightToast.success('Login successful!')
    },
    wordsOf(error) {
      const words = messageOf(error, 'Login failed')
      lightToast.error(words)
      return words
    },
  })

  return (
    <SignInPage
      title="Host Login"
      note="Contact your administrator for login credentials"
      form={form}
      failure={failure}
    >
      <TextField
        label="Username"
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        autoFocus
        {...field('username')}
      />
      <LightPasswordField label="Password" autoComplete="current-password" {...field('password')} />
      <Button type="submit" look="filled" size="large" busy={busy}>
        Sign in
      </Button>
    </SignInPage>
  )
}
