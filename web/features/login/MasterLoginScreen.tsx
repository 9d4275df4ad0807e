import { lightToast } from '../../lib/light-toast.ts'
import { ApiError, messageOf } from '../../lib/send.ts'
import { signIn } from '../../lib/session/sign-in.ts'
import { Button } from '../../ui/base/Button.tsx'
import { LightPasswordField } from '../../ui/base/LightPasswordField.tsx'
import { TextField } from '../../ui/base/TextField.tsx'
import { SignInPage } from './SignInPage.tsx'
import { masterLoginErrors } from './sign-in-rules.ts'
import { useSecondStep } from './use-second-step.tsx'
import { useSignInForm } from './use-sign-in-form.ts'

export function MasterLoginScreen() {
  const secondStep = useSecondStep(() => lightToast.success('Master login successful!'))
  const { busy, failure, form, field } = useSignInForm({
    problemsOf: masterLoginErrors,
    submit: (values) => secondStep.begin(() => signIn('/auth/master-login', values)),
    wordsOf: failureWords,
  })

  if (secondStep.page) return secondStep.page
  return (
    <SignInPage title="Master Admin Login" note="Master admin access only" form={form} failure={failure}>
      <TextField label="Email" type="email" autoComplete="username" autoFocus {...field('email')} />
      <LightPasswordField label="Password" autoComplete="current-password" {...field('password')} />
      <Button type="submit" look="filled" size="large" busy={busy}>
        Sign In
      </Button>
    </SignInPage>
  )
}

function failureWords(error: unknown): string {
  const unanswered = error instanceof ApiError && error.status === 0
  return unanswered ? 'Network error. Please try again.' : messageOf(error, 'Login failed')
}
