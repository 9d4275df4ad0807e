import type { FastifySchema } from 'fastify'
import { z } from 'zod'
import { ID, MEETING, NOON, STREAM_TICKET } from '../../../shared/examples.ts'
import { RoomEvents } from '../../../shared/room-events.ts'
import { HostMuteAllStatus, RoomRef, StreamSession } from '../../../shared/rooms.ts'
import { withExample } from '../../lib/with-example.ts'

const tags = ['Live control']
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
    event('moderators').omit({ id: true }),
  ]),
)
const ExampleRoom = withExample(RoomRef, { room_id: ID.room, meeting_id: MEETING.number })
const StreamTicketParams = z.object({ ticket: z.string().max(200).describe('`sessionId` of the stream session.') })
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
A moderator gets no \`phone-requests\`. \`moderators\` comes to consoles alone, without an \`id\`, when
the list of those who moderate has changed.
\`user-muted-again\` comes so too, and is not repeated: a muted user has opened the microphone in Zoom, and the app has closed
it again. \`meeting-runs\` comes to phones alone, without an \`id\`, and is not repeated: the meeting has begun, the host has
joined it, or it is over. It may say what is known. A phone that waits for the meeting asks for its ticket again at a random
moment within \`spread_ms\`, and waits on where it is refused. A phone acknowledges commands by sending their ids in \`acks\`
of the status call. The events of
the host's seat in the Zoom meeting, from \`seat\` to \`command-settled\`, come to consoles alone, without an \`id\`:
\`GET /host/attendees\` fills a gap. Consoles are informed with \`commands-acknowledged\`, many phones in one event: nothing is pending for them any more.`

export const getHostMuteAll = {
  tags,
  operationId: 'getHostMuteAll',
  summary: 'Get whether the whole room is muted',
  body: ExampleRoom,
  response: { 200: withExample(HostMuteAllStatus, { success: true, host_mute_all_active: true }) },
  failures: ['not_found'],
} satisfies FastifySchema

export const openStreamSession = {
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
} satisfies FastifySchema

export const readEvents = {
  tags,
  operationId: 'readEvents',
  summary: 'Stream the events of the room',
  description: EVENTS_DESCRIPTION,
  callers: 'anyone with the URL, which is a secret',
  params: withExample(StreamTicketParams, { ticket: STREAM_TICKET }),
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
} satisfies FastifySchema
