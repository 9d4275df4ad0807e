import { z } from 'zod'
import { PHONE_SESSION_ENDS, SESSION_ENDS } from '../session-end.ts'

export const FieldError = z.object({ path: z.string(), msg: z.string() })
export type FieldError = z.infer<typeof FieldError>

/** The part of a failure that phones read: the rest would be a kilobyte more of the form's page. */
export const PhoneFailure = z.object({
  success: z.literal(false),
  message: z.string(),
  code: z.string().optional(),
  errors: z.array(FieldError).optional(),
  reason: z.enum([...new Set([...SESSION_ENDS, ...PHONE_SESSION_ENDS])]).optional(), // `not_signed_in`: why the session ended
  host_presence: z.enum(['absent', 'unknown']).optional(), // `host_not_present`: known to be absent, or unknown
})
export type PhoneFailure = z.infer<typeof PhoneFailure>
