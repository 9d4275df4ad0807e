import { lightToast } from '../../lib/light-toast.ts'
import { messageOf } from '../../lib/send.ts'
import { signIn } from '../../lib/session/sign-in.ts'
import { Button } from '../../ui/base/Button.tsx'
import { LightPasswordField } from '../../ui/base/LightPasswordField.tsx'
import { TextField } from '../../ui/base/TextField.tsx'
import { SignInPage } from './SignInPage.tsx'
import { hostLoginErrors } from './sign-in-rules.ts'
import { useSecondStep } from './use-second-step.tsx'
import { useSignInForm } from './use-sign-in-form.ts'

export function HostLoginScreen() {
  const secondStep = useSecondStep(() => lightToast.success('Login successful!'))
  const { busy, failure, form, field } = useSignInForm({
    problemsOf: hostLoginErrors,
    submit: (values) => secondStep.begin(() => signIn('/auth/host/login', values)),
    wordsOf(error) {
      const words = messageOf(error, 'Login failed')
      lightToast.error(words)
      return words
    },
  })

  if (secondStep.page) return secondStep.page
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
