import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { Done } from '../../../shared/envelope.ts'
import {
  MobileLogin,
  MobileLoginAnswer,
  MobileMeAnswer,
  MobileStatus,
  MobileStatusAnswer,
} from '../../../shared/mobile.ts'
import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors.ts'
import { TokenBuckets } from '../../lib/token-bucket.ts'
import { allow, signedInPhone } from '../auth/guards.ts'
import { logOut } from '../auth/log-out.ts'
import { LoginThrottle } from '../auth/login-throttle.ts'
import { requireSubscriptionToCome } from '../subscriptions/require-subscription.ts'
import { signInPhone } from './phone-login.ts'
import { phoneView } from './phone-view.ts'

/** Of one account: sign-ins with the right password that are refused for another reason, each of which is written down. */
const REFUSALS = {
  burst: 20,
  perSecond: 10 / 60,
  message: 'Too many attempts. Please wait a moment and try again.',
}

export const phoneLoginRoutes =
  (deps: Deps): FastifyPluginAsyncZod =>
  async (app) => {
    allow(app, deps, 'public')
    const throttle = new LoginThrottle(deps)
    const refusals = new TokenBuckets(deps.now, REFUSALS)

    app.post(
      '/mobile/login',
      { schema: { body: MobileLogin, response: { 200: MobileLoginAnswer } } },
      async ({ body, ip }) => {
        const { token, device_secret, ...owner } = await signInPhone(deps, { throttle, refusals }, body, ip)
        const view = await phoneView(deps, owner)
        return { success: true as const, data: { token, ...(device_secret && { device_secret }), ...view } }
      },
    )
  }

export const phoneRoutes =
  (deps: Deps): FastifyPluginAsyncZod =>
  async (app) => {
    allow(app, deps, 'phone')

    app.post('/mobile/logout', { schema: { response: { 200: Done } } }, async (request) => {
      const { session, host_id, room_user_id } = signedInPhone(request)
      const room = await deps.rooms.of(host_id)
      await logOut(deps, session, request.ip)
      await room.leave(room_user_id ?? host_id)
      return { success: true as const, message: 'Logged out successfully' }
    })

    app.get('/mobile/me', { schema: { response: { 200: MobileMeAnswer } } }, async (request) => {
      const { host_id, room_user_id } = signedInPhone(request)
      const room = await deps.rooms.of(host_id)
      const state = room.stateOf(room_user_id ?? host_id)
      if (!state) throw new AppError('not_found', 'User not found')
      const view = await phoneView(deps, { host_id, room_user_id })
      return { success: true as const, data: { ...view, state } }
    })

    app.post(
      '/mobile/status',
      {
        schema: { body: MobileStatus, response: { 200: MobileStatusAnswer } },
        serializerCompiler: () => JSON.stringify, // five booleans of our own: checking them costs more than the call
        config: { background: true },
      },
      async (request) => {
        const { host_id, room_user_id } = signedInPhone(request)
        await requireSubscriptionToCome(deps, host_id, room_user_id ?? host_id)
        const room = await deps.rooms.of(host_id)
        const data = await room.status(room_user_id ?? host_id, request.body)
        if (!data) throw new AppError('not_found', 'User not found')
        return { success: true as const, data }
      },
    )
  }
