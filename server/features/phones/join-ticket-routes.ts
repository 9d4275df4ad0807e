import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { ID, MEETING, TOKEN } from '../../../shared/examples.ts'
import { JoinTicketAnswer } from '../../../shared/mobile.ts'
import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors.ts'
import { withExample } from '../../lib/with-example.ts'
import { allow, signedInPhone } from '../auth/guards.ts'
import { requireSubscriptionToCome } from '../subscriptions/require-subscription.ts'
import { createJoinTicket } from './join-ticket.ts'

/** Most tickets cost a Zoom call. Enough for a phone that waits for the host, or whose connection keeps dropping. */
const JOIN_LIMIT = {
  rateLimit: { max: 12 },
  turns: 'zoom' as const,
  isNeverReplayed: true, // the ticket of the host's own phone can start the meeting
  tooMany: 'Too many attempts to join. Please wait a moment and try again.',
}

export const joinTicketRoutes =
  (deps: Deps): FastifyPluginAsyncZod =>
  async (app) => {
    allow(app, deps, 'phone')

    app.post(
      '/mobile/join-ticket',
      {
        schema: {
          tags: ['Phones'],
          operationId: 'getJoinTicket',
          summary: "Get what Zoom's Meeting SDK needs to join",
          description:
            "`signature` is valid for two hours, `customer_key` is the user's `id`, `role` is 1 for the host and 0 for others. " +
            "A web app loads the Meeting SDK for Web of `sdk_version` from `sdk_url`; `join_url` opens Zoom's own app, which " +
            "Parley cannot mute, and is without the passcode where Zoom has not answered. If the host's Zoom account is not the " +
            "app's own, `obf_token` allows this one join on behalf of the host: every ticket has a new one, and there is " +
            "none before the host is in the meeting. Presence is judged by Zoom's events of the host's joins and leaves, " +
            "by the host's own phone, which counts while it is online and the meeting runs, and by a start that followed the " +
            "host's request for the start link. A phone that is too early " +
            'gets `host_not_present`, waits for `Retry-After` and tries again; `host_presence` says whether the host is ' +
            "`absent` or its presence is `unknown`. Only the ticket of the host's own phone has a `zak`. Each user gets " +
            'at most twelve tickets a minute. When many phones join another account at once, they are queued at the pace ' +
            'that Zoom allows; a phone that would have to wait too long gets `busy` with a `Retry-After`.',
          response: {
            200: withExample(JoinTicketAnswer, {
              success: true,
              data: {
                role: 0,
                sdk_url: 'https://source.zoom.us',
                sdk_version: '6.2.0',
                join_url: `https://zoom.us/j/${MEETING.number}?pwd=Zk5tT1dRM2xYUnAzeFJi.1`,
                meeting_number: MEETING.number,
                passcode: 'kT7wQp3xRb',
                signature: TOKEN,
                user_name: 'anita',
                customer_key: ID.anita,
                obf_token: TOKEN,
                expires_at: '2026-11-20T14:00:00.000Z',
              },
            }),
          },
          failures: [
            'subscription_cancelled',
            'subscription_inactive',
            'room_not_connected',
            'host_not_present',
            'zoom_reconnect',
            'zoom_unavailable',
            'busy',
          ],
        },
        config: JOIN_LIMIT,
      },
      async (request) => {
        const { session, host_id, room_user_id } = signedInPhone(request)
        await requireSubscriptionToCome(deps, host_id, room_user_id ?? host_id)
        const data = await createJoinTicket(deps, { host_id, room_user_id })
        if (!(await deps.sessions.findById(session.id))) throw new AppError('not_signed_in', 'Please sign in again.') // ended in between
        return { success: true as const, data }
      },
    )
  }
