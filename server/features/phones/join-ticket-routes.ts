import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { JoinTicketAnswer } from '../../../shared/mobile.ts'
import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors.ts'
import { allow, signedInPhone } from '../auth/guards.ts'
import { requireSubscriptionToCome } from '../subscriptions/require-subscription.ts'
import { joinTicket, MeetingLooks } from './join-ticket.ts'

/** Most cost a call of Zoom's. Enough for a phone that waits for the host, or whose connection keeps dropping. */
const JOIN_LIMIT = {
  rateLimit: { max: 12 },
  tooMany: 'Too many attempts to join. Please wait a moment and try again.',
}

export const joinTicketRoutes =
  (deps: Deps): FastifyPluginAsyncZod =>
  async (app) => {
    allow(app, deps, 'phone')
    const looks = new MeetingLooks()

    app.post(
      '/mobile/join-ticket',
      { schema: { response: { 200: JoinTicketAnswer } }, config: JOIN_LIMIT },
      async (request) => {
        const { session, host_id, room_user_id } = signedInPhone(request)
        await requireSubscriptionToCome(deps, host_id, room_user_id ?? host_id)
        const data = await joinTicket(deps, looks, { host_id, room_user_id })
        if (!(await deps.sessions.isStillLive(session.id))) throw new AppError('not_signed_in', 'Please sign in again.') // by now
        return { success: true as const, data }
      },
    )
  }
