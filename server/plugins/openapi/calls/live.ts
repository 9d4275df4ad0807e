import { z } from 'zod'
import { RoomEvents } from '../../../../shared/room-events.ts'
import { OnlineUsersAnswer } from '../../../../shared/room-users.ts'
import type { Calls } from '../call.ts'
import { anita, done, ID, MEETING } from '../examples.ts'

const room = { room_id: ID.room, meeting_id: MEETING.number }

const heard = <N extends keyof typeof RoomEvents>(name: N) =>
  z.object({ id: z.string(), event: z.literal(name), data: RoomEvents[name] })

/** The stream as a list of its events: what a document can say of one. */
const EventsHeard = z.array(
  z.discriminatedUnion('event', [
    heard('test'),
    heard('host-mute-all'),
    heard('user-speaking-status'),
    heard('user-speaker-toggle'),
    heard('user-mute-status'),
    heard('user-deactivated'),
    heard('user-online'),
    heard('commands-acknowledged'),
  ]),
)

const ON_THE_WIRE = `
    id: 7f-13
    event: host-mute-all
    data: {"room_id":"${ID.room}","active":true}
`

export const liveCalls: Calls = {
  'GET /host/online-users': {
    tag: 'Live control',
    name: 'listOnlineUsers',
    summary: 'List who is online',
    description:
      'A user is online while the last status call of its phone is younger than 30 s, and `asleep`, which is to say not ' +
      'answering, when it is older than 15 s or said `awake: false`. `last_seen` is at most half a minute behind. ' +
      'Carries a strong `ETag`; `If-None-Match` is answered with 304. `pending_command` is what a phone has not ' +
      'acknowledged yet. Does not keep an idle session alive.',
    answer: { success: true, data: { users: [anita] }, host_mute_all_active: true },
    schemas: { answer: OnlineUsersAnswer },
    also: { 304: 'The reader has this version already.' },
    reads: ['IfNoneMatch'],
  },
  'POST /host/trigger-bulk-mute/:action': {
    tag: 'Live control',
    name: 'muteAll',
    summary: 'Mute or unmute the whole room',
    description:
      'Sets or clears the flag of the room and the mute of every user, those who come later too. `targeted` are the ' +
      'phones that it is for, `reachable` those that answer and have an open stream to hear it by.',
    parameters: { action: { example: 'mute' } },
    answer: { ...done('All users muted'), data: { targeted: 2, reachable: 1 } },
    failures: ['busy'],
  },
  'POST /host/cleanup-stale-users': {
    tag: 'Live control',
    name: 'cleanUpStaleUsers',
    summary: 'Take users offline whose phone has gone silent',
    description: 'It happens by itself after 30 s; a second call finds nothing left to do.',
    failures: ['too_many'],
    answer: { success: true, cleanedUsers: 0 },
  },
  'POST /mobile/host-mute-all-status': {
    tag: 'Live control',
    name: 'getHostMuteAll',
    summary: 'Ask whether the whole room is muted',
    body: room,
    answer: { success: true, host_mute_all_active: true },
    failures: ['not_found'],
  },
  'POST /mobile/sse-session': {
    tag: 'Live control',
    name: 'openStreamSession',
    summary: 'Get the address of an event stream',
    description:
      'The address is relative to this site, must be opened within 60 s, and ends with the session that asked for it. ' +
      'Nothing but the stream can be reached with it, and one stream at a time: a new one ends the one before. A console ' +
      'session has five streams at most and a phone two; of more, the oldest ends. A session gets thirty addresses a minute.',
    body: room,
    answer: {
      success: true,
      sessionId: 'f3QmZ0yT7cJv1bXn5rWk2A',
      sseUrl: '/api/mobile/events/f3QmZ0yT7cJv1bXn5rWk2A',
    },
    failures: ['not_found', 'subscription_cancelled', 'subscription_inactive', 'too_many'],
  },
  'GET /mobile/events/:ticket': {
    tag: 'Live control',
    name: 'readEvents',
    who: 'whoever has the address, which is a secret',
    summary: 'Hear what happens in the room',
    description:
      'Opens with `test`, then says the state that holds now as ordinary events. Each event has an `id`: a reader that ' +
      'comes back with `Last-Event-ID` gets what it missed, or the whole state anew. A console hears all of its room, a ' +
      'phone what concerns it. A comment every 15 s keeps the stream open. A reader that leaves more than 256 KiB unread ' +
      'is cut off. The schema below lists the events in order; on the wire each is three lines, with its data as JSON:\n' +
      ON_THE_WIRE +
      '\n`user-online` says `asleep: true` of a phone that has not answered for 15 s or went to the background; it is online ' +
      'for 30 s all the same. A phone acknowledges commands by sending their ids in `acks` of the status call. Consoles ' +
      'hear of it by `commands-acknowledged`, many phones in one event: nothing is pending for these any more.',
    parameters: { ticket: { example: 'f3QmZ0yT7cJv1bXn5rWk2A', description: '`sessionId` of the stream session.' } },
    failures: ['not_signed_in', 'not_allowed', 'subscription_cancelled', 'subscription_inactive'],
    answer: [
      { id: '7f-12', event: 'test', data: { server_time: '2026-11-20T12:00:00.000Z' } },
      { id: '7f-13', event: 'host-mute-all', data: { room_id: ID.room, active: true } },
      { id: '7f-14', event: 'user-mute-status', data: { user_id: ID.anita, is_muted: false, by: 'host' } },
    ],
    schemas: { answer: EventsHeard },
    special: { description: 'The events, as long as the stream is open.', type: 'text/event-stream' },
    reads: ['LastEventId'],
  },
}
