import { z } from 'zod'
import { answer, Time } from './envelope.ts'

/** A user's new phone that waits for the host's approval, as another phone is bound. */
export const PhoneRequest = z.object({
  id: z.string(), // the user's
  user_id: z.string(),
  username: z.string(),
  reference: z.string().nullable(),
  device_model: z.string().nullable(),
  platform: z.string(),
  requested_at: Time,
})
export type PhoneRequest = z.infer<typeof PhoneRequest>
export const PhoneRequestsAnswer = answer(z.object({ requests: z.array(PhoneRequest) }))

export const PhoneRequestDecision = z.enum(['approve', 'refuse'])
export type PhoneRequestDecision = z.infer<typeof PhoneRequestDecision>

/** Guards against deciding a later request of the same user that the host has not seen. */
export const DecidePhoneRequest = z.object({ expect: z.object({ requested_at: Time }).optional() }).nullish()

export const PhoneRequestTicketAnswer = answer(z.object({ ticket: z.string(), expires_at: Time }))

/** The state of a waiting phone's request. Unknown and replaced tickets are `expired` too. */
export const PhoneRequestState = z.enum(['waiting', 'approved', 'refused', 'expired'])
export type PhoneRequestState = z.infer<typeof PhoneRequestState>
export const PhoneRequestStateAnswer = answer(z.object({ state: PhoneRequestState }))
