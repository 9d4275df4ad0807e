import type { FastifyReply, FastifyRequest } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import type { z } from 'zod'
import { HOST_ROLES } from '../../../shared/auth.ts'
import type { Moderator } from '../../../shared/moderators.ts'
import type { RoomRef } from '../../../shared/rooms.ts'
import type { PhoneSessionEnd } from '../../../shared/session-end.ts'
import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors.ts'
import { siteOrigins } from '../../lib/sites.ts'
import { readAccountName } from '../auth/account-name.ts'
import { allow, sessionIdOf } from '../auth/guards.ts'
import type { Session } from '../auth/session-rows.ts'
import { requireSubscriptionToCome } from '../subscriptions/require-subscription.ts'
import * as api from './api.ts'
import type { LiveRoom } from './live-room.ts'
import { chunk } from './streams/event-log.ts'
import { SessionStreams } from './streams/sse.ts'

const REPLACED: PhoneSessionEnd = 'signed_in_elsewhere'

export const liveRoomRoutes =
  (deps: Deps): FastifyPluginAsyncZod =>
  async (app) => {
    allow(app, deps, ...HOST_ROLES, 'phone')

    app.post(
      '/mobile/host-mute-all-status',
      { schema: api.getHostMuteAll, config: { background: true, turns: 'none' } },
      async ({ session, body }) => {
        const room = await ownRoom(deps, session, body)
        return { success: true as const, host_mute_all_active: room.hostMuteAll }
      },
    )

    app.post(
      '/mobile/sse-session',
      {
        schema: api.openStreamSession,
        config: {
          background: true,
          turns: 'none',
          rateLimit: { max: 30, keyGenerator: sessionIdOf },
          tooMany: 'Too many event streams. Please wait a moment and try again.',
        },
      },
      async ({ session, body }) => {
        const room = await ownRoom(deps, session, body)
        if (!session) throw new AppError('not_signed_in', 'Please sign in again.')
        const userId = listenerOf(session, room)
        if (userId) await requireSubscriptionToCome(deps, room.hostId, userId)
        const sessionId = deps.streamTickets.issue(session.id)
        return { success: true as const, sessionId, sseUrl: `/api/mobile/events/${sessionId}` }
      },
    )
  }

export const streamRoutes =
  (deps: Deps): FastifyPluginAsyncZod =>
  async (app) => {
    allow(app, deps, 'public') // the ticket is the credential: a browser's EventSource sends no headers
    const origins = siteOrigins(deps.config)
    const ownOrigins = [origins.public, origins.host, origins.master, origins.phone] // not the meeting frame, which runs Zoom's code
    const streams = new SessionStreams()
    deps.sessions.onEnd(({ id }, reason) =>
      streams.endAll(id, (userId) => (userId && reason === REPLACED ? replacedFrame(userId) : undefined)),
    )

    app.get(
      '/mobile/events/:ticket',
      { schema: api.readEvents, config: { background: true } },
      async (request, reply) => {
        const { origin } = request.headers
        if (origin !== undefined && !ownOrigins.includes(origin))
          throw new AppError('not_allowed', 'Other sites may not open this stream.')
        const { ticket } = request.params
        const sessionId = deps.streamTickets.find(ticket)
        const session = sessionId ? await deps.sessions.findById(sessionId) : null
        if (!session?.host_id) throw new AppError('not_signed_in', 'This stream has ended.')
        deps.streamTickets.countOpening(session.id)
        const room = await deps.rooms.get(session.host_id)
        const userId = listenerOf(session, room)
        if (userId) await requireSubscriptionToCome(deps, room.hostId, userId)
        if (userId) await room.commands.announceStream(userId)
        const person = userId === null ? await personOf(deps, session) : null
        // The session may have ended while the room was loading.
        if (!(await deps.sessions.findById(session.id))) throw new AppError('not_signed_in', 'This stream has ended.')
        reply.hijack()
        setHeaders(reply)

        let unsubscribe = () => {}
        const stream = deps.streams.open(reply.raw, { userId, role: session.role }, () => {
          unsubscribe()
          if (!stream) return
          deps.streamTickets.closed(ticket, stream)
          streams.remove(session.id, stream)
        })
        if (!stream) return
        streams.add(session.id, stream, deps.streamTickets.opened(ticket, session.id, stream))
        unsubscribe = room.subscribe(stream, lastEventId(request), person)
      },
    )
  }

/**
 * Encodes the end of a stream whose session was replaced. It has no id, since it is no event of the room: the user's new
 * session goes on.
 */
function replacedFrame(user_id: string): Buffer {
  const data = { user_id, reason: REPLACED }
  return chunk(`event: user-deactivated\ndata: ${JSON.stringify(data)}\n\n`)
}

/** Returns the user of a phone; null for a console. */
function listenerOf({ role, room_user_id }: Session, room: LiveRoom): string | null {
  return role === 'phone' ? (room_user_id ?? room.hostId) : null
}

/** Returns whom others see moderating. Without the database the stream opens all the same, and names nobody. */
async function personOf({ db, log }: Deps, { role, actor_id: id }: Session): Promise<Omit<Moderator, 'since'> | null> {
  const acts_as = HOST_ROLES.find((one) => one === role)
  if (!acts_as) return null
  try {
    return { id, name: await readAccountName(db, { id, acts_as }), role: acts_as }
  } catch (err) {
    log.warn({ err }, 'live_room.moderator_unnamed')
    return null
  }
}

function lastEventId(request: FastifyRequest): string | null {
  const id = request.headers['last-event-id']
  return typeof id === 'string' && id !== '' ? id : null
}

/** Copies the headers that hooks have set, which a hijacked reply loses. */
function setHeaders(reply: FastifyReply): void {
  const { raw } = reply
  for (const [name, value] of Object.entries(reply.getHeaders())) if (value !== undefined) raw.setHeader(name, value)
  raw.setHeader('content-type', 'text/event-stream; charset=utf-8')
  raw.setHeader('x-accel-buffering', 'no')
  raw.setHeader('transfer-encoding', 'chunked')
  raw.setHeader('connection', 'close') // the stream's end closes it
}

async function ownRoom(deps: Deps, session: Session | null, ref: z.infer<typeof RoomRef>): Promise<LiveRoom> {
  if (!session?.host_id) throw new AppError('not_signed_in', 'Please sign in again.')
  const room = await deps.rooms.get(session.host_id)
  const isItsMeeting = !ref.meeting_id || ref.meeting_id === room.meetingId
  if (ref.room_id !== room.id || !isItsMeeting) throw new AppError('not_found', 'Room not found')
  return room
}
