import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { ById } from '../../../shared/envelope.ts'
import { anita, host, phone, TOKEN, zoya } from '../../../shared/examples.ts'
import { MobileLoginAnswer } from '../../../shared/mobile.ts'
import { LinkLogin, SignInLinkAnswer } from '../../../shared/sign-in-links.ts'
import type { Deps } from '../../deps.ts'
import { TokenBuckets } from '../../lib/token-bucket.ts'
import { uuidOr404 } from '../../lib/uuid.ts'
import { withExample } from '../../lib/with-example.ts'
import { allow, signedInHost } from '../auth/guards.ts'
import { REFUSALS } from './phone-login.ts'
import { phoneView } from './phone-view.ts'
import { makeSignInLink, signInByLink } from './sign-in-links.ts'

export const linkLoginRoutes =
  (deps: Deps): FastifyPluginAsyncZod =>
  async (app) => {
    allow(app, deps, 'public')
    const refusals = new TokenBuckets(deps, { ...REFUSALS, name: 'refused links' })

    app.post(
      '/mobile/link-login',
      {
        schema: {
          tags: ['Phones'],
          operationId: 'loginPhoneByLink',
          summary: 'Sign a phone in with a one-time link',
          description:
            'Instead of username and password, with what follows `#link=` in the URL of the link. All else is as in ' +
            '`POST /mobile/login`. A link works once: of several phones that use it at once, one is signed in. A refusal ' +
            'other than `link_invalid` does not use it up.',
          body: withExample(LinkLogin, {
            host_id: host.user_id,
            link_token: zoya.link_token,
            device_id: '1f3870be274f6c49',
            device_secret: null,
            device_model: 'iPhone 17',
            platform: 'web',
            app_version: '1.0.0',
          }),
          response: {
            200: withExample(MobileLoginAnswer, {
              success: true,
              data: { token: TOKEN, device_secret: 'mUq0c9n5Jx2w8bT1rYk4ZfVhD7sLgE3aPoQiN6tCeRM', ...phone },
            }),
          },
          failures: [
            'link_invalid',
            'subscription_cancelled',
            'subscription_inactive',
            'room_stopped',
            'user_inactive',
            'device_mismatch',
            'too_many',
            'busy',
          ],
        },
      },
      async ({ body, ip }) => {
        const { token, device_secret, ...owner } = await signInByLink(deps, refusals, body, ip)
        const view = await phoneView(deps, owner)
        return { success: true as const, data: { token, ...(device_secret && { device_secret }), ...view } }
      },
    )
  }

export const hostSignInLinkRoutes =
  (deps: Deps): FastifyPluginAsyncZod =>
  async (app) => {
    allow(app, deps, 'host')

    app.post(
      '/host/users/:id/sign-in-link',
      {
        schema: {
          tags: ['Room users'],
          operationId: 'makeSignInLink',
          summary: 'Make a one-time link that signs a user in',
          description:
            'The link signs one phone of the user in without a password, once and within 24 hours. It is returned here ' +
            'alone. A later link of the same user replaces it, and it is void once the user gets another password, is ' +
            'deactivated or deleted. Whoever has the link can use it. Every use of this call is recorded in the audit log.',
          params: withExample(ById, { id: anita.id }),
          response: {
            200: withExample(SignInLinkAnswer, {
              success: true,
              data: {
                url: `https://phone.parley.example/?host=${host.user_id}#link=${zoya.link_token}`,
                expires_at: '2026-11-21T12:00:00.000Z',
              },
            }),
          },
          failures: ['user_inactive'],
        },
        config: {
          isNeverReplayed: true,
          rateLimit: { max: 60 },
          tooMany: 'Too many links were made. Please wait a moment and try again.',
        },
      },
      async (request) => {
        const id = uuidOr404(request.params.id, 'User not found')
        return { success: true as const, data: await makeSignInLink(deps, signedInHost(request), id, request.ip) }
      },
    )
  }
