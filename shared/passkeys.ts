import { z } from 'zod'
import { tooLongMessage } from './too-long-message.ts'
import { visible } from './visible.ts'

/** The most passkeys of an account. */
export const PASSKEYS_MAX = 10

const Bytes = z
  .string()
  .max(12_000)
  .regex(/^[\w-]+$/)
const credential = { id: Bytes, rawId: Bytes, type: z.literal('public-key') }

/** A browser's answer to the options for a new passkey. */
export const NewPasskeyResponse = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: Bytes,
    attestationObject: Bytes,
    transports: z.array(z.string().max(32)).max(10).optional(),
  }),
})
export type NewPasskeyResponse = z.infer<typeof NewPasskeyResponse>

/** A browser's answer to the options for the use of one. */
export const PasskeyResponse = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: Bytes,
    authenticatorData: Bytes,
    signature: Bytes,
  }),
})
export type PasskeyResponse = z.infer<typeof PasskeyResponse>

/** The options for the browser, as its functions take them. */
export const PasskeyOptions = z.looseObject({ challenge: z.string() })
export type PasskeyOptions = z.infer<typeof PasskeyOptions>

export const NewPasskeyOptions = PasskeyOptions.extend({
  rp: z.object({ id: z.string().optional(), name: z.string() }),
  user: z.object({ id: z.string(), name: z.string(), displayName: z.string() }),
  pubKeyCredParams: z.array(z.object({ type: z.literal('public-key'), alg: z.number() })),
})
export type NewPasskeyOptions = z.infer<typeof NewPasskeyOptions>

export const AddPasskey = z.object({
  name: z.string('Name is required').trim().min(1, 'Name is required').max(64, tooLongMessage(64)).superRefine(visible),
  passkey: NewPasskeyResponse,
})
export type AddPasskey = z.infer<typeof AddPasskey>
