import { z } from 'zod'
import { ownPassword } from './account.ts'
import { answer, Time } from './envelope.ts'
import { tooLongMessage } from './too-long-message.ts'

export const AccountLinkPurpose = z.enum(['master_invite', 'master_reset', 'host_reset', 'assistant_invite'])
export type AccountLinkPurpose = z.infer<typeof AccountLinkPurpose>

/** `token` is the part after `#` in the URL. */
export const LookAtLink = z.object({
  token: z.string('The link is required').min(1, 'The link is required').max(128, tooLongMessage(128)),
})
export const UseLink = LookAtLink.extend({ password: ownPassword('Password') })

/** `account` is the name with which its holder signs in. */
export const AccountLink = z.object({
  purpose: AccountLinkPurpose,
  account: z.string(),
  removes_second_factor: z.boolean(),
  expires_at: Time,
})
export type AccountLink = z.infer<typeof AccountLink>
export const AccountLinkAnswer = answer(AccountLink)

export const MakeResetLink = z
  .object({ remove_second_factor: z.boolean().default(false), send_mail: z.boolean().default(false) })
  .nullish()

/** `url` is shown once, to the one who made the link. `mailed` says if it waits to be sent. */
export const ResetLinkAnswer = answer(z.object({ url: z.string(), expires_at: Time, mailed: z.boolean() }))
