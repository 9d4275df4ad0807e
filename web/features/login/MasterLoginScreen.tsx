import { useState } from 'react'
import { ApiError, messageOf } from '../../lib/send.ts'
import { signIn } from '../../lib/session/sign-in.ts'
import { Button } from '../../ui/Button.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { toast } from '../../ui/toast.tsx'
import { LightPasswordField } from './LightPasswordField.tsx'
import { LightTextField } from './LightTextField.tsx'
import { SignInPage } from './SignInPage.tsx'
import { masterLoginProblems } from './sign-in-rules.ts'
import { useSignInForm } from './use-sign-in-form.ts'

export function MasterLoginScreen() {
  const [failure, setFailure] = useState<string | null>(null)
  const { busy, form, field } = useSignInForm({
    problemsOf: masterLoginProblems,
    async submit(values) {
      setFailure(null)
      await signIn('/auth/master-login', values)
      toast.success('Master login successful!')
    },
    onError: (error) => setFailure(failureWords(error)),
  })

  return (
    <SignInPage title="Master Admin Login" note="Master admin access only" form={form}>
      {failure ? <Notice tone="bad">{failure}</Notice> : null}
      <LightTextField label="Email" type="email" autoComplete="username" autoFocus {...field('email')} />
      <LightPasswordField label="Password" autoComplete="current-password" {...field('password')} />
      <Button type="submit" size="md" wide busy={busy}>
        Sign In
      </Button>
    </SignInPage>
  )
}

function failureWords(error: unknown): string {
  const unanswered = error instanceof ApiError && error.status === 0
  return unanswered ? 'Network error. Please try again.' : messageOf(error, 'Login failed')
}
