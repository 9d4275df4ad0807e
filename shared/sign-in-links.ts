import { z } from 'zod'
import { atMost } from './at-most.ts'
import { answer, Time } from './envelope.ts'
import { MobileLogin } from './mobile.ts'

/** Shown once, to the host who made it. */
export const SignInLink = z.object({ url: z.string(), expires_at: Time })
export type SignInLink = z.infer<typeof SignInLink>
export const SignInLinkAnswer = answer(SignInLink)

/** Not used yet. `id` is that of the user. */
export const OpenSignInLink = z.object({ id: z.string(), expires_at: Time })
export type OpenSignInLink = z.infer<typeof OpenSignInLink>
export const OpenSignInLinksAnswer = answer(z.object({ links: z.array(OpenSignInLink) }))

/** For whom a link is. Who has it could sign in and see the same. */
export const LinkOwner = z.object({ username: z.string(), room_name: z.string() })
export type LinkOwner = z.infer<typeof LinkOwner>
export const LinkOwnerAnswer = answer(LinkOwner)

/** `link_token` is what follows `#link=` in the URL. */
export const LinkLogin = MobileLogin.omit({ username: true, password: true }).extend({
  link_token: z.string('The link is required').min(1, 'The link is required').max(128, atMost(128)),
})

export const FindLinkOwner = LinkLogin.pick({ host_id: true, link_token: true })
