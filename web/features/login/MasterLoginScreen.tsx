import { IconAlertTriangle } from '@tabler/icons-react'
import { useState } from 'react'
import { lightToast } from '../../lib/light-toast.ts'
import { ApiError, messageOf } from '../../lib/send.ts'
import { signIn } from '../../lib/session/sign-in.ts'
import { Button } from '../../ui/light/Button.tsx'
import { PasswordField } from '../../ui/light/PasswordField.tsx'
import { TextField } from '../../ui/light/TextField.tsx'
import classes from './SignInPage.module.css'
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
      lightToast.success('Master login successful!')
    },
    onError: (error) => setFailure(failureWords(error)),
  })

  return (
    <SignInPage title="Master Admin Login" note="Master admin access only" form={form}>
      {failure ? (
        <p role="alert" className={classes.failure}>
          <IconAlertTriangle size={18} stroke={1.9} aria-hidden="true" />
          {failure}
        </p>
      ) : null}
      <TextField label="Email" type="email" autoComplete="username" autoFocus {...field('email')} />
      <PasswordField label="Password" autoComplete="current-password" {...field('password')} />
      <Button type="submit" size="md" busy={busy}>
        Sign In
      </Button>
    </SignInPage>
  )
}

function failureWords(error: unknown): string {
  const unanswered = error instanceof ApiError && error.status === 0
  return unanswered ? 'Network error. Please try again.' : messageOf(error, 'Login failed')
}
