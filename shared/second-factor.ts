import { z } from 'zod'
import { answer, Time } from './envelope.ts'
import { NewPasskeyOptions, PasskeyOptions } from './passkeys.ts'
import { tooLongMessage } from './too-long-message.ts'

/** The number of recovery codes that an account gets at once. */
export const RECOVERY_CODES = 10

/** A code of an app, or a recovery code. Spaces, dashes and case are the server's business. */
export const FactorCode = z.string('Code is required').trim().min(1, 'Code is required').max(64, tooLongMessage(64))

/** The order is that in which they are offered. */
export const SecondFactorMethod = z.enum(['passkey', 'totp', 'recovery_code'])
export type SecondFactorMethod = z.infer<typeof SecondFactorMethod>

/** The answer to a right password of an account with a second factor. */
export const SecondStepNeeded = z.object({
  challenge: z.string(),
  methods: z.array(SecondFactorMethod),
  expires_at: Time,
  passkey_options: PasskeyOptions.optional(), // with `passkey` among the methods
})
export type SecondStepNeeded = z.infer<typeof SecondStepNeeded>

/** Assistants count with their hosts. */
export const RequiredFor = z.enum(['nobody', 'masters', 'masters_and_hosts'])
export type RequiredFor = z.infer<typeof RequiredFor>
export const Security = z.object({ require_second_factor: RequiredFor })
export const SecurityAnswer = answer(Security)

export const ConfirmTotp = z.object({ code: FactorCode })

export const Passkey = z.object({
  id: z.string(),
  name: z.string(),
  created_at: Time,
  last_used_at: Time.nullable(),
  usable_here: z.boolean(), // a passkey works at the address where it was made, and at no other
})
export type Passkey = z.infer<typeof Passkey>

export const AccountFactors = z.object({
  totp: z.boolean(),
  recovery_codes_left: z.int().min(0),
  passkeys: z.array(Passkey),
  is_required: z.boolean(), // the masters' rule for this kind of account
})
export type AccountFactors = z.infer<typeof AccountFactors>

export const NewTotpAnswer = answer(z.object({ secret: z.string(), uri: z.string() }))

/** Shown once. Absent if the account had some. */
const NewCodes = z.array(z.string()).optional()
export const TotpOnAnswer = answer(z.object({ recovery_codes: NewCodes }))
export const PasskeyOptionsAnswer = answer(z.object({ passkey_options: NewPasskeyOptions }))
export const PasskeyAddedAnswer = answer(z.object({ passkey: Passkey, recovery_codes: NewCodes }))
export const RecoveryCodesAnswer = answer(z.object({ recovery_codes: z.array(z.string()) }))
