import { z } from 'zod'
import { answer, Time } from './envelope.ts'
import { MobileLogin } from './mobile.ts'
import { tooLongMessage } from './too-long-message.ts'

/** A new sign-in link, shown once to the host who created it. */
export const SignInLink = z.object({ url: z.string(), expires_at: Time })
export type SignInLink = z.infer<typeof SignInLink>
export const SignInLinkAnswer = answer(SignInLink)

/** An unused link. `id` is the user's. */
export const OpenSignInLink = z.object({ id: z.string(), expires_at: Time })
export type OpenSignInLink = z.infer<typeof OpenSignInLink>
export const OpenSignInLinksAnswer = answer(z.object({ links: z.array(OpenSignInLink) }))

/** The user of a link. Anyone holding the link could sign in and see the same. */
export const LinkOwner = z.object({ username: z.string(), room_name: z.string() })
export type LinkOwner = z.infer<typeof LinkOwner>
export const LinkOwnerAnswer = answer(LinkOwner)

/** `link_token` is the part after `#link=` in the URL. */
export const LinkLogin = MobileLogin.omit({ username: true, password: true }).extend({
  link_token: z.string('The link is required').min(1, 'The link is required').max(128, tooLongMessage(128)),
})

export const FindLinkOwner = LinkLogin.pick({ host_id: true, link_token: true })
