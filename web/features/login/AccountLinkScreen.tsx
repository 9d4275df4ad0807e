import { useEffect, useState } from 'react'
import { useNavigate } from 'react-router'
import { OWN_PASSWORD_MIN } from '../../../shared/password-lengths.ts'
import { isRecord } from '../../lib/is-record.ts'
import { lightToast } from '../../lib/light-toast.ts'
import { ApiError, answerOf, messageOf, send } from '../../lib/send.ts'
import { signInPath, site } from '../../lib/site.ts'
import { Button, ButtonLink } from '../../ui/base/Button.tsx'
import { LightPasswordField } from '../../ui/base/LightPasswordField.tsx'
import { Loading } from '../../ui/base/Loading.tsx'
import { TextField } from '../../ui/base/TextField.tsx'
import { PasswordStrength } from '../../widgets/password/PasswordStrength.tsx'
import { SignInPage } from './SignInPage.tsx'
import type { SignInErrors } from './sign-in-rules.ts'
import { useSignInForm } from './use-sign-in-form.ts'

type FoundLink = { account: string; isInvitation: boolean; removesSecondFactor: boolean }
type Look = FoundLink | 'invalid' | 'invalid at its use' | { failure: string }

let taken = ''

/** Removes the token from the address, where others could read it. Another link in this tab loads the page again. */
function takeToken(): string {
  const { hash, pathname } = window.location
  if (hash.length > 1) {
    taken = hash.slice(1)
    window.history.replaceState(window.history.state, '', pathname)
  }
  return taken
}

async function look(token: string): Promise<Look> {
  try {
    if (token === '') return 'invalid'
    const answer = await answerOf(await send('POST', '/auth/links/look', { token }, { isSecret: true }))
    const data = isRecord(answer) && isRecord(answer.data) ? answer.data : {}
    const isInvitation = String(data.purpose).endsWith('_invite')
    return { account: String(data.account), isInvitation, removesSecondFactor: data.removes_second_factor === true }
  } catch (error) {
    if (error instanceof ApiError && error.code === 'link_invalid') return 'invalid'
    return { failure: messageOf(error, 'The link could not be checked') }
  }
}

/** Sets a password with the token of an invitation or a reset link. Signs nobody in. */
export function AccountLinkScreen() {
  const [token] = useState(takeToken)
  const [attempt, setAttempt] = useState(0)
  const [found, setFound] = useState<Look | null>(null)

  useEffect(() => {
    let isCurrent = true
    void attempt // Try again looks anew
    void look(token).then((result) => isCurrent && setFound(result))
    const reload = () => window.location.reload()
    window.addEventListener('hashchange', reload)
    return () => {
      isCurrent = false
      window.removeEventListener('hashchange', reload)
    }
  }, [token, attempt])

  if (found === null) return <Loading fullPage />
  if (found === 'invalid' || found === 'invalid at its use') return <InvalidLink wasSent={found !== 'invalid'} />
  if ('failure' in found)
    return (
      <SignInPage title="Set your password" note="The link stays valid." form={{}} failure={found.failure}>
        <Button
          look="filled"
          size="large"
          onClick={() => {
            setFound(null)
            setAttempt(attempt + 1)
          }}
        >
          Try again
        </Button>
      </SignInPage>
    )
  return <PasswordForLink token={token} link={found} onInvalid={() => setFound('invalid at its use')} />
}

/** A password that was sent may have been set, by a call whose answer was lost. */
function InvalidLink({ wasSent }: { wasSent: boolean }) {
  return (
    <SignInPage title="This link is not valid any more" note="" form={{}} failure={null}>
      {wasSent ? <p>Your new password may have been set all the same: try to sign in with it first.</p> : null}
      <p>
        It was used, replaced or cancelled, or its time is over. Open the newest link that you were sent, or ask for
        another one.
      </p>
      <ButtonLink href={signInPath(site.site)} size="large">
        Go to the sign-in page
      </ButtonLink>
    </SignInPage>
  )
}

function PasswordForLink({ token, link, onInvalid }: { token: string; link: FoundLink; onInvalid: () => void }) {
  const navigate = useNavigate()
  const [typed, setTyped] = useState('')
  const { busy, failure, form, field } = useSignInForm({
    problemsOf({ password = '' }): SignInErrors {
      if (password.length >= OWN_PASSWORD_MIN) return {}
      return { password: `The password must have at least ${OWN_PASSWORD_MIN} characters` }
    },
    async submit({ password }) {
      await send('POST', '/auth/links/use', { token, password }, { isSecret: true }).then(answerOf)
      lightToast.success('Password set. Please sign in.')
      await navigate(signInPath(site.site))
    },
    wordsOf(error) {
      if (error instanceof ApiError && error.code === 'link_invalid') onInvalid()
      return messageOf(error, 'The password could not be set')
    },
  })
  const name = <bdi>{link.account}</bdi>

  return (
    <SignInPage
      title="Set your password"
      note={
        link.isInvitation ? (
          <>Afterwards you sign in with it as {name}.</>
        ) : (
          <>You are signed out of this console everywhere, and sign in as {name} with the new password.</>
        )
      }
      form={form}
      failure={failure}
    >
      <TextField
        label="Account"
        autoComplete="username"
        readOnly
        defaultValue={link.account}
        name="account"
        dir="auto"
      />
      <LightPasswordField
        label="New password"
        autoComplete="new-password"
        autoFocus
        hint={`At least ${OWN_PASSWORD_MIN} characters`}
        strength={<PasswordStrength password={typed} names={link.account} />}
        {...field('password')}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
      {link.removesSecondFactor ? <p>This also removes the second factor of the account.</p> : null}
      <Button type="submit" look="filled" size="large" busy={busy}>
        Set password
      </Button>
    </SignInPage>
  )
}
