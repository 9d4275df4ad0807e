import type { FastifyReply, FastifyRequest } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { HostMuteAllStatus, RoomRef, StreamSession } from '../../../shared/rooms.ts'
import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors.ts'
import { siteOrigins } from '../../lib/sites.ts'
import { allow } from '../auth/guards.ts'
import type { Session } from '../auth/sessions.ts'
import { requireSubscriptionToCome } from '../subscriptions/require-subscription.ts'
import type { LiveRoom } from './live-room.ts'
import { SessionStreams } from './session-streams.ts'

/** What consoles and phones ask alike about the room that they are in. */
export const liveRoomRoutes =
  (deps: Deps): FastifyPluginAsyncZod =>
  async (app) => {
    allow(app, deps, 'host', 'phone')

    app.post(
      '/mobile/host-mute-all-status',
      { schema: { body: RoomRef, response: { 200: HostMuteAllStatus } }, config: { background: true } },
      async ({ session, body }) => {
        const room = await ownRoom(deps, session, body)
        return { success: true as const, host_mute_all_active: room.hostMuteAll }
      },
    )

    app.post(
      '/mobile/sse-session',
      {
        schema: { body: RoomRef, response: { 200: StreamSession } },
        config: {
          background: true,
          rateLimit: { max: 30, keyGenerator: ({ session }) => session?.id ?? '' },
          tooMany: 'Too many event streams. Please wait a moment and try again.',
        },
      },
      async ({ session, body }) => {
        const room = await ownRoom(deps, session, body)
        if (!session) throw new AppError('not_signed_in', 'Please sign in again.')
        const user_id = session.role === 'phone' ? (session.room_user_id ?? room.hostId) : null
        if (user_id) await requireSubscriptionToCome(deps, room.hostId, user_id)
        const sessionId = deps.tickets.issue({ session_id: session.id, host_id: room.hostId, user_id })
        return { success: true as const, sessionId, sseUrl: `/api/mobile/events/${sessionId}` }
      },
    )
  }

export const streamRoutes =
  (deps: Deps): FastifyPluginAsyncZod =>
  async (app) => {
    allow(app, deps, 'public') // the ticket in the address is the credential: a browser's EventSource sends no header
    const ownOrigins = Object.values(siteOrigins(deps.config))
    const streams = new SessionStreams()
    deps.sessions.onEnd(({ id }) => {
      deps.tickets.endSession(id)
      streams.endAll(id)
    })

    app.get(
      '/mobile/events/:ticket',
      { schema: { params: z.object({ ticket: z.string().max(100) }), hide: true }, config: { background: true } },
      async (request, reply) => {
        const { origin } = request.headers
        if (origin !== undefined && !ownOrigins.includes(origin))
          throw new AppError('not_allowed', 'Not from this site.')
        const ticket = deps.tickets.find(request.params.ticket)
        if (!ticket || !deps.sessions.isLive(ticket.session_id))
          throw new AppError('not_signed_in', 'This stream has ended.')
        const room = await deps.rooms.of(ticket.host_id)
        if (ticket.user_id) await requireSubscriptionToCome(deps, ticket.host_id, ticket.user_id)
        reply.hijack()
        setHeaders(reply)

        let leave = () => {}
        const stream = deps.streams.open(reply.raw, ticket.user_id, () => {
          leave()
          if (!stream) return
          deps.tickets.closed(request.params.ticket, stream)
          streams.remove(ticket.session_id, stream)
        })
        if (!stream) return
        streams.add(ticket.session_id, stream, deps.tickets.opened(request.params.ticket, stream))
        leave = room.listen(stream, lastEventId(request))
      },
    )
  }

function lastEventId(request: FastifyRequest): string | null {
  const id = request.headers['last-event-id']
  return typeof id === 'string' && id !== '' ? id : null
}

/** Those of every answer, which a taken-over one would lose, and its own. */
function setHeaders(reply: FastifyReply): void {
  const { raw } = reply
  for (const [name, value] of Object.entries(reply.getHeaders())) if (value !== undefined) raw.setHeader(name, value)
  raw.setHeader('content-type', 'text/event-stream; charset=utf-8')
  raw.setHeader('x-accel-buffering', 'no')
  raw.setHeader('transfer-encoding', 'chunked')
  raw.setHeader('connection', 'close') // as its end does, so that nobody sends another request by it
}

async function ownRoom(deps: Deps, session: Session | null, ref: z.infer<typeof RoomRef>): Promise<LiveRoom> {
  if (!session?.host_id) throw new AppError('not_signed_in', 'Please sign in again.')
  const room = await deps.rooms.of(session.host_id)
  const isItsMeeting = !ref.meeting_id || ref.meeting_id === room.meetingId
  if (ref.room_id !== room.id || !isItsMeeting) throw new AppError('not_found', 'Room not found')
  return room
}
