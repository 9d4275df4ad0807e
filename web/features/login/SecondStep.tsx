import { useState } from 'react'
import { lightToast } from '../../lib/light-toast.ts'
import { askForPasskey, hasPasskeys, passkeyRefusal } from '../../lib/passkeys.ts'
import { ApiError, messageOf, type SecondStepOffer } from '../../lib/send.ts'
import { showSecondFactor } from '../../lib/session/sign-in.ts'
import { Button } from '../../ui/base/Button.tsx'
import { TextField } from '../../ui/base/TextField.tsx'
import { SignInPage } from './SignInPage.tsx'
import { useSignInForm } from './use-sign-in-form.ts'

type SecondStepProps = { offer: SecondStepOffer; onSignedIn: () => void; onStartOver: () => void }

type Way = 'passkey' | 'totp' | 'recovery_code'

const FIELDS = {
  passkey: { name: 'passkey', label: '', missing: '' },
  totp: { name: 'code', label: 'Code from your app', missing: 'Enter the code that your app shows' },
  recovery_code: { name: 'recovery_code', label: 'Recovery code', missing: 'Enter one of your recovery codes' },
} as const

const NO_WAY =
  'None of your second factors works in this browser at this address. Ask your administrator for a new link.'

const WAYS: Way[] = ['passkey', 'totp', 'recovery_code']
const SWITCH = { passkey: 'Use passkey', totp: 'Code from your app', recovery_code: 'Use a recovery code' }

/** The second step of a sign-in: a passkey, a code of the app, or a recovery code in its place. */
export function SecondStep({ offer, onSignedIn, onStartOver }: SecondStepProps) {
  const { challenge, passkey_options } = offer
  const ways = WAYS.filter((way) => offer.methods.includes(way) && (way !== 'passkey' || hasPasskeys()))
  const [way, setWay] = useState<Way>(ways[0] ?? 'recovery_code')
  const [isOver, setOver] = useState(false)
  const { name, label, missing } = FIELDS[way]

  const { busy, failure, clear, form, field } = useSignInForm({
    problemsOf: (values): Record<string, string> =>
      way === 'passkey' || values[name]?.trim() ? {} : { [name]: missing },
    async submit(values) {
      const shown = way === 'passkey' && passkey_options ? await askForPasskey(passkey_options) : (values[name] ?? '')
      const codesLeft = await showSecondFactor({ challenge, [name]: shown })
      onSignedIn()
      if (codesLeft !== null) lightToast.success(`Signed in. ${countOf(codesLeft, 'recovery code')} left.`)
    },
    wordsOf(error) {
      if (error instanceof ApiError && error.code === 'challenge_expired') setOver(true)
      return wordsOf(error)
    },
  })

  if (isOver || ways.length === 0)
    return (
      <SignInPage title="Second step" note={isOver ? '' : NO_WAY} form={form} failure={failure}>
        <Button look="filled" size="large" autoFocus onClick={onStartOver}>
          Start over
        </Button>
      </SignInPage>
    )

  return (
    <SignInPage
      title="Second step"
      note="If you have lost these, ask your administrator for a new link."
      form={form}
      failure={failure}
    >
      {way === 'passkey' ? null : way === 'totp' ? (
        <TextField
          key={way}
          label={label}
          inputMode="numeric"
          autoComplete="one-time-code"
          autoFocus
          maxLength={16}
          dir="ltr"
          {...field(name)}
        />
      ) : (
        <TextField
          key={way}
          label={label}
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          autoFocus
          maxLength={32}
          dir="ltr"
          hint="Like 7K-4F2M9-QX1RT. Each works once."
          {...field(name)}
        />
      )}
      <Button type="submit" look="filled" size="large" busy={busy} autoFocus={way === 'passkey'}>
        {way === 'passkey' ? SWITCH.passkey : 'Continue'}
      </Button>
      {ways
        .filter((other) => other !== way)
        .map((other) => (
          <Button
            key={other}
            onClick={() => {
              clear()
              setWay(other)
            }}
          >
            {SWITCH[other]}
          </Button>
        ))}
      <Button look="plain" onClick={onStartOver}>
        Start over
      </Button>
    </SignInPage>
  )
}

function wordsOf(error: unknown): string {
  const words = passkeyRefusal(error) ?? messageOf(error, 'The sign-in could not go on')
  const left = error instanceof ApiError ? error.attemptsLeft : undefined
  return left === undefined
    ? words
    : `${words} ${left === 0 ? 'No try is left.' : `${countOf(left, 'try', 'tries')} left.`}`
}

const countOf = (count: number, one: string, many = `${one}s`) => `${count} ${count === 1 ? one : many}`
