import { z } from 'zod'
import { SessionUser } from './auth.ts'
import { answer, Time } from './envelope.ts'
import { PasskeyOptions, PasskeyResponse } from './passkeys.ts'
import { OWN_PASSWORD_MIN } from './password-lengths.ts'
import { AccountFactors } from './second-factor.ts'
import { tooLongMessage } from './too-long-message.ts'

const password = (name: string) =>
  z.string(`${name} is required`).min(1, `${name} is required`).max(1024, tooLongMessage(1024))

export const ownPassword = (name: string) =>
  password(name).min(OWN_PASSWORD_MIN, `The password must have at least ${OWN_PASSWORD_MIN} characters`)

export const ChangePassword = z.object({
  current_password: password('Current password'),
  new_password: ownPassword('New password'),
})
export type ChangePassword = z.infer<typeof ChangePassword>

/** `password_changed_at` is null for the password that the account was made with. */
export const AccountAnswer = answer(
  z.object({
    user: SessionUser,
    password_changed_at: Time.nullable(),
    second_factor: AccountFactors,
    confirmed_until: Time.nullable(), // null: an act that needs a confirmation would be refused now
  }),
)

export const Confirm = z
  .object({ password: password('Password').optional(), passkey: PasskeyResponse.optional() })
  .refine(({ password, passkey }) => (password === undefined) !== (passkey === undefined), {
    message: 'Password is required',
    path: ['password'],
  })
export type Confirm = z.infer<typeof Confirm>
export const ConfirmedAnswer = answer(z.object({ confirmed_until: Time.nullable() }))
export const ConfirmOptionsAnswer = answer(z.object({ passkey_options: PasskeyOptions.nullable() }))

export const AccountSession = z.object({
  id: z.string(),
  device: z.string().nullable(), // "Firefox on Linux"; null if it is not known
  ip: z.string().nullable(),
  signed_in_at: Time,
  last_active_at: Time, // to the minute
  expires_at: Time,
  is_current: z.boolean(),
})
export type AccountSession = z.infer<typeof AccountSession>

export const AccountSessionsAnswer = answer(z.object({ sessions: z.array(AccountSession) }))
export const EndedSessionsAnswer = answer(z.object({ ended: z.int().min(0) }))
