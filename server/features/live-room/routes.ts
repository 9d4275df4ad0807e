import type { FastifyReply, FastifyRequest } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { ID, MEETING, NOON, STREAM_TICKET } from '../../../shared/examples.ts'
import { RoomEvents } from '../../../shared/room-events.ts'
import { HostMuteAllStatus, RoomRef, StreamSession } from '../../../shared/rooms.ts'
import type { PhoneSessionEnd } from '../../../shared/session-end.ts'
import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors.ts'
import { siteOrigins } from '../../lib/sites.ts'
import { withExample } from '../../lib/with-example.ts'
import { allow, ofSession } from '../auth/guards.ts'
import type { Session } from '../auth/session-rows.ts'
import { requireSubscriptionToCome } from '../subscriptions/require-subscription.ts'
import type { LiveRoom } from './live-room.ts'
import { chunk } from './streams/event-log.ts'
import { SessionStreams } from './streams/sse.ts'

const tags = ['Live control']

const REPLACED: PhoneSessionEnd = 'signed_in_elsewhere'

const event = <N extends keyof typeof RoomEvents>(name: N) =>
  z.object({ id: z.string(), event: z.literal(name), data: RoomEvents[name] })

/** Describes a stream as a list of its events, because OpenAPI 3.1 cannot describe a stream. */
const Events = z.array(
  z.discriminatedUnion('event', [
    event('test'),
    event('host-mute-all'),
    event('user-speaking-status'),
    event('user-speaker-toggle'),
    event('user-mute-status'),
    event('user-deactivated'),
    event('user-online'),
    event('commands-acknowledged'),
  ]),
)
const ExampleRoom = withExample(RoomRef, { room_id: ID.room, meeting_id: MEETING.number })

const TicketParams = z.object({ ticket: z.string().max(200).describe('`sessionId` of the stream session.') })

const EVENTS_DESCRIPTION = `Starts with \`test\` and the current state as ordinary events. Each event has an \`id\`: a
client that reconnects with \`Last-Event-ID\` gets the events it missed, or the whole state again. A console receives all
events of its room, a phone those that concern it. A comment every 15 s keeps the stream open. A client that leaves more
than 256 KiB unread is disconnected. The schema below lists the events in order; on the wire each is three lines, with its
data as JSON:

    id: 7f-13
    event: host-mute-all
    data: {"room_id":"${ID.room}","active":true}

\`user-online\` says \`asleep: true\` when a phone has not answered for 15 s or went to the background; it still counts as
online for 30 s. Its \`audio\` is what the phone says of the meeting's sound, or null if its app does not say. A change of
that, and \`phone-requests\`, come to consoles without an \`id\`: one that was away gets them with the next list.
\`user-muted-again\` comes so too, and is not repeated: a muted user has opened the microphone in Zoom, and the app has closed
it again. \`meeting-runs\` comes to phones alone, without an \`id\`, and is not repeated: the meeting has begun, the host has
joined it, or it is over. It may say what is known. A phone that waits for the meeting asks for its ticket again at a random
moment within \`spread_ms\`, and waits on where it is refused. A phone acknowledges commands by sending their ids in \`acks\`
of the status call. Consoles are informed with \`commands-acknowledged\`, many phones in one event: nothing is pending for them any more.`

export const liveRoomRoutes =
  (deps: Deps): FastifyPluginAsyncZod =>
  async (app) => {
    allow(app, deps, 'host', 'phone')

    app.post(
      '/mobile/host-mute-all-status',
      {
        schema: {
          tags,
          operationId: 'getHostMuteAll',
          summary: 'Get whether the whole room is muted',
          body: ExampleRoom,
          response: { 200: withExample(HostMuteAllStatus, { success: true, host_mute_all_active: true }) },
          failures: ['not_found'],
        },
        config: { background: true },
      },
      async ({ session, body }) => {
        const room = await ownRoom(deps, session, body)
        return { success: true as const, host_mute_all_active: room.hostMuteAll }
      },
    )

    app.post(
      '/mobile/sse-session',
      {
        schema: {
          tags,
          operationId: 'openStreamSession',
          summary: 'Get the URL of an event stream',
          description:
            'The URL is relative to this site, must be opened within 60 s, and ends with the session that requested it. It ' +
            'gives access to the stream alone, one stream at a time: a new one ends the one before. A console session has ' +
            'at most five streams at one server and a phone two; the oldest ends first. A session gets at most thirty URLs ' +
            'a minute, and opens sixty streams a minute with them.',
          body: ExampleRoom,
          response: {
            200: withExample(StreamSession, {
              success: true,
              sessionId: STREAM_TICKET,
              sseUrl: `/api/mobile/events/${STREAM_TICKET}`,
            }),
          },
          failures: ['not_found', 'subscription_cancelled', 'subscription_inactive'],
        },
        config: {
          background: true,
          rateLimit: { max: 30, keyGenerator: ofSession },
          tooMany: 'Too many event streams. Please wait a moment and try again.',
        },
      },
      async ({ session, body }) => {
        const room = await ownRoom(deps, session, body)
        if (!session) throw new AppError('not_signed_in', 'Please sign in again.')
        const userId = listenerOf(session, room)
        if (userId) await requireSubscriptionToCome(deps, room.hostId, userId)
        const sessionId = deps.tickets.issue(session.id)
        return { success: true as const, sessionId, sseUrl: `/api/mobile/events/${sessionId}` }
      },
    )
  }

export const streamRoutes =
  (deps: Deps): FastifyPluginAsyncZod =>
  async (app) => {
    allow(app, deps, 'public') // the ticket is the credential: a browser's EventSource sends no headers
    const own = siteOrigins(deps.config)
    const ownOrigins = [own.public, own.host, own.master, own.phone] // not the meeting frame, which runs Zoom's code
    const streams = new SessionStreams()
    deps.sessions.onEnd(({ id }, reason) =>
      streams.endAll(id, (userId) => (userId && reason === REPLACED ? replacedFrame(userId) : undefined)),
    )

    app.get(
      '/mobile/events/:ticket',
      {
        schema: {
          tags,
          operationId: 'readEvents',
          summary: 'Stream the events of the room',
          description: EVENTS_DESCRIPTION,
          callers: 'anyone with the URL, which is a secret',
          params: withExample(TicketParams, { ticket: STREAM_TICKET }),
          produces: ['text/event-stream'],
          response: {
            200: withExample(Events.describe('The events, as long as the stream is open.'), [
              { id: '7f-12', event: 'test', data: { server_time: NOON } },
              { id: '7f-13', event: 'host-mute-all', data: { room_id: ID.room, active: true } },
              { id: '7f-14', event: 'user-mute-status', data: { user_id: ID.anita, is_muted: false, by: 'host' } },
            ]),
          },
          readsHeaders: ['LastEventId'],
          failures: ['not_signed_in', 'not_allowed', 'subscription_cancelled', 'subscription_inactive', 'too_many'],
        },
        config: { background: true },
      },
      async (request, reply) => {
        const { origin } = request.headers
        if (origin !== undefined && !ownOrigins.includes(origin))
          throw new AppError('not_allowed', 'Other sites may not open this stream.')
        const { ticket } = request.params
        const sessionId = deps.tickets.find(ticket)
        const session = sessionId ? await deps.sessions.findById(sessionId) : null
        if (!session?.host_id) throw new AppError('not_signed_in', 'This stream has ended.')
        deps.tickets.countOpening(session.id)
        const room = await deps.rooms.of(session.host_id)
        const userId = listenerOf(session, room)
        if (userId) await requireSubscriptionToCome(deps, room.hostId, userId)
        if (userId) await room.announceStream(userId)
        // The session may have ended while the room was loading.
        if (!(await deps.sessions.findById(session.id))) throw new AppError('not_signed_in', 'This stream has ended.')
        reply.hijack()
        setHeaders(reply)

        let unsubscribe = () => {}
        const stream = deps.streams.open(reply.raw, userId, () => {
          unsubscribe()
          if (!stream) return
          deps.tickets.closed(ticket, stream)
          streams.remove(session.id, stream)
        })
        if (!stream) return
        streams.add(session.id, stream, deps.tickets.opened(ticket, session.id, stream))
        unsubscribe = room.subscribe(stream, lastEventId(request))
      },
    )
  }

/** Encodes without an id, for this stream only: the user's new session goes on. */
function replacedFrame(user_id: string): Buffer {
  const data = { user_id, reason: REPLACED }
  return chunk(`event: user-deactivated\ndata: ${JSON.stringify(data)}\n\n`)
}

/** Returns the user of a phone; null for a console. */
function listenerOf({ role, room_user_id }: Session, room: LiveRoom): string | null {
  return role === 'phone' ? (room_user_id ?? room.hostId) : null
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
  const room = await deps.rooms.of(session.host_id)
  const isItsMeeting = !ref.meeting_id || ref.meeting_id === room.meetingId
  if (ref.room_id !== room.id || !isItsMeeting) throw new AppError('not_found', 'Room not found')
  return room
}
