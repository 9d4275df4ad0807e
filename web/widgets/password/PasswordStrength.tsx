import { useDeferredValue, useEffect, useMemo, useState } from 'react'
import { OWN_PASSWORD_MIN } from '../../../shared/password-lengths.ts'
import classes from './PasswordStrength.module.css'

const RATINGS = [
  { word: 'Too weak', tone: 'bad' },
  { word: 'Weak', tone: 'bad' },
  { word: 'Fair', tone: 'warn' },
  { word: 'Good', tone: 'good' },
  { word: 'Strong', tone: 'good' },
] as const

interface PasswordStrengthProps {
  password: string
  /** The username and the email address of the account, separated by spaces. */
  names: string
}

/**
 * Says how hard a password is to guess, at the end of the line below its field. The server decides, so nothing is shown
 * until the dictionary has loaded, or if it does not load.
 */
export function PasswordStrength({ password, names }: PasswordStrengthProps) {
  const [rate, setRate] = useState<typeof import('./rate-password.ts').ratePassword>()
  const rated = useDeferredValue(password)
  const isTouched = password !== ''

  useEffect(() => {
    if (!isTouched) return
    import('./rate-password.ts').then(
      ({ ratePassword }) => setRate(() => ratePassword),
      () => {}, // typing into the empty field tries again
    )
  }, [isTouched])

  const score = useMemo(() => {
    if (!rate || rated === '') return null
    return rated.length < OWN_PASSWORD_MIN ? 0 : rate(rated, names)
  }, [rate, rated, names])
  const rating = score === null ? undefined : RATINGS[score]

  return (
    <output className={classes.strength} data-tone={rating?.tone}>
      {rating ? (
        <>
          <span>
            <span className="unseen">Password strength: </span>
            {rating.word}
          </span>
          <span className={classes.steps} aria-hidden="true">
            {RATINGS.slice(1).map(({ word }, step) => (
              <i key={word} data-on={step < (score ?? 0) || undefined} />
            ))}
          </span>
        </>
      ) : null}
    </output>
  )
}
