import { z } from 'zod'
import { atMost } from './at-most.ts'
import { answer, Time } from './envelope.ts'
import { MobileLogin } from './mobile.ts'

/** Shown once, to the host who made it. */
export const SignInLink = z.object({ url: z.string(), expires_at: Time })
export type SignInLink = z.infer<typeof SignInLink>
export const SignInLinkAnswer = answer(SignInLink)

/** `link_token` is what follows `#link=` in the URL. */
export const LinkLogin = MobileLogin.omit({ username: true, password: true }).extend({
  link_token: z.string('The link is required').min(1, 'The link is required').max(128, atMost(128)),
})
