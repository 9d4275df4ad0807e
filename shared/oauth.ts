import { z } from 'zod'
import { answer, Done } from './envelope.ts'
import { tooLongMessage } from './too-long-message.ts'

export const OAuthUrlQuery = z.object({
  email: z
    .string('Please enter the host email first to integrate with Zoom')
    .trim()
    .min(1, 'Please enter the host email first to integrate with Zoom')
    .pipe(z.email('Invalid email address'))
    .describe('Whose Zoom account is expected to consent.'),
  return_url: z
    .string('A return address is required')
    .max(2000, tooLongMessage(2000))
    .describe('A page of the public, the master or the host site of this installation.'),
  host_id: z.string().max(64).optional().describe('The host to connect; left out while it is being created.'),
})
/** `oauth_result_id` identifies the result for a page that loses its popup. */
export const OAuthUrlAnswer = Done.extend({ auth_url: z.string(), oauth_result_id: z.string() })

/** `integrated` means that the consent was for an existing host, which is already linked. */
export const OAuthStatus = z.enum(['success', 'integrated'])
export type OAuthStatus = z.infer<typeof OAuthStatus>

/** The `error` parameter of the address to which a failed consent returns. */
export type OAuthErrorCode =
  | 'access_denied'
  | 'email_mismatch'
  | 'already_connected'
  | 'invalid_request'
  | 'server_error'

export const OAuthResultAnswer = answer(
  z.object({ status: OAuthStatus, user_email: z.string(), host_id: z.string().optional() }),
)

/** The popup's message to its opener. Only a hint: the server's result decides. */
export const OAuthMessage = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('ZOOM_OAUTH_SUCCESS'),
    data: z.object({
      status: z.string().optional(),
      user_email: z.string().optional(),
      host_id: z.string().optional(),
      oauth_result_id: z.string().optional(),
    }),
  }),
  z.object({
    type: z.literal('ZOOM_OAUTH_ERROR'),
    data: z.object({ error: z.string().optional(), error_message: z.string().optional() }),
  }),
])
export type OAuthMessage = z.infer<typeof OAuthMessage>
