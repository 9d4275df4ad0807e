import type { FastifySchema } from 'fastify'
import { z } from 'zod'
import { Done } from '../../../shared/envelope.ts'
import { attendee, ID, MEETING, NOON, seatLease } from '../../../shared/examples.ts'
import {
  AttendeeAction,
  AttendeeCommandAnswer,
  AttendeeNamesAnswer,
  AttendeesAnswer,
  ForgetAttendeeName,
  LinkAttendee,
  ReleaseSeat,
  SeatReport,
  SeatReportAnswer,
  TakeSeat,
  TakeSeatAnswer,
} from '../../../shared/seat.ts'
import { withExample } from '../../lib/with-example.ts'

const tags = ['Seat']
const OFF = 'Where the seat is turned off (`HOST_SEAT`), the answer is 404.'

export const takeSeat = {
  tags,
  operationId: 'takeSeat',
  summary: "Take the host's seat in the Zoom meeting",
  description:
    'One console of a room has the seat, by a lease of 15 s that its reports renew. The ticket joins the meeting once: ' +
    'with `as` `host` it has role 1 and a `zak`, and starts the meeting; with `guest` the host makes the seat co-host ' +
    'by hand in Zoom. Both are secrets. With `take_over` the console that has the seat is asked to leave Zoom first, ' +
    `for 3 s at most. The same console may take its seat again, such as after a reload. At most 6 a minute. ${OFF}`,
  body: withExample(TakeSeat, { seat_id: ID.seat, as: 'host' }),
  response: {
    200: withExample(TakeSeatAnswer, {
      success: true,
      data: {
        lease: seatLease,
        ticket: {
          role: 1,
          sdk_url: 'https://source.zoom.us',
          sdk_version: '6.2.0',
          meeting_number: MEETING.number,
          passcode: 'k3Xb9TqWm2',
          signature: 'eyJhbGciOiJIUzI1NiJ9.eyJtbiI6IjgxMjM0NTY3ODkwIn0.c2lnbmF0dXJl',
          user_name: 'stmary',
          customer_key: 'seat-3f9a1c07d2b84e65a0c9d17e4b2f86',
          zak: 'eyJ0eXAiOiJKV1QifQ',
          expires_at: NOON,
        },
      },
    }),
  },
  failures: ['seat_taken', 'room_not_connected', 'zoom_reconnect', 'zoom_unavailable', 'conflict', 'not_found', 'busy'],
} satisfies FastifySchema

export const reportSeat = {
  tags,
  operationId: 'reportSeat',
  summary: "Report what the host's seat sees",
  description:
    'Sent by the console that has the seat, on each change and every 5 s: it renews the lease. Reports are numbered. ' +
    'After a gap the answer is 409 `seat_out_of_step`: the whole list comes next, in parts of 300 with `full`. The ' +
    'answer repeats the commands whose outcome is not in `done` yet; each is carried out once. Names are cut to 64 ' +
    `characters. At most 5 a second, of 128 KiB. ${OFF}`,
  body: withExample(SeatReport, {
    ...{ seat_id: ID.seat, epoch: seatLease.epoch, seq: 0 },
    state: {
      ...{ connection: 'in', powers: 'host', trouble: null },
      ...{ is_recording: false, can_see_speaking: true, is_hidden: false },
    },
    full: true,
    attendees: [],
  }),
  response: { 200: withExample(SeatReportAnswer, { success: true, data: { expires_at: NOON, commands: [] } }) },
  failures: ['seat_lost', 'seat_out_of_step', 'not_found', 'too_many'],
} satisfies FastifySchema

export const releaseSeat = {
  tags,
  operationId: 'releaseSeat',
  summary: "Give the host's seat up",
  description: `Once its console has left the meeting. ${OFF}`,
  body: withExample(ReleaseSeat, { seat_id: ID.seat, epoch: seatLease.epoch }),
  response: { 200: withExample(Done, { success: true, message: 'Seat released' }) },
  failures: ['seat_lost', 'not_found'],
} satisfies FastifySchema

export const listAttendees = {
  tags,
  operationId: 'listAttendees',
  summary: 'List who is in the Zoom meeting',
  description:
    "As the host's seat sees it; empty without a seat. The stream sends each change: this call is for the opening of a " +
    `page, and for a gap. Those of a lost seat stay listed for a minute. ${OFF}`,
  response: {
    200: withExample(AttendeesAnswer, {
      success: true,
      data: {
        seat: {
          ...{ state: 'in', seat_id: ID.seat, powers: 'host', by: 'stmary' },
          ...{ since: NOON, is_hidden: false, lock: false },
        },
        epoch: seatLease.epoch,
        attendees: [attendee],
        speaking: [],
        others: 0,
      },
    }),
  },
  failures: ['not_found'],
} satisfies FastifySchema

const COMMANDED = withExample(AttendeeCommandAnswer, { success: true, data: { command_id: ID.seat } })
const SETTLED =
  'The answer is 202: the outcome follows on the stream, in `command-settled`, within 10 s. A command that is still ' +
  'pending is not given twice: its id is answered again.'

export const actOnAttendee = {
  tags,
  operationId: 'actOnAttendee',
  summary: 'Mute, admit or remove somebody in the Zoom meeting',
  description:
    'The console that has the seat does it. `ask-unmute` only asks: nobody but themselves opens their microphone. It ' +
    'and `allow` let them speak while Mute All holds, until the next Mute All. A moderator may mute, ask, allow and lower ' +
    `hands. At most 10 a second in a room. ${SETTLED} ${OFF}`,
  params: withExample(z.object({ key: z.string(), action: AttendeeAction }), { key: attendee.key, action: 'mute' }),
  response: { 202: COMMANDED },
  failures: ['no_seat', 'no_power', 'too_many'],
} satisfies FastifySchema

export const admitAll = {
  tags,
  operationId: 'admitAll',
  summary: 'Admit everybody from the waiting room of the Zoom meeting',
  description: `${SETTLED} ${OFF}`,
  response: { 202: COMMANDED },
  failures: ['no_seat', 'no_power', 'not_found', 'too_many'],
} satisfies FastifySchema

export const askAllToUnmute = {
  tags,
  operationId: 'askAllToUnmute',
  summary: 'Ask everybody in the Zoom meeting to unmute',
  description:
    'Only asks: nobody but themselves opens their microphone. It neither lifts Mute All nor is it possible while Mute ' +
    `All holds in Zoom: that is refused with 409 \`conflict\`. At most once in 5 s at Zoom. ${SETTLED} ${OFF}`,
  response: { 202: COMMANDED },
  failures: ['no_seat', 'no_power', 'conflict', 'not_found', 'too_many'],
} satisfies FastifySchema

export const linkAttendee = {
  tags,
  operationId: 'linkAttendee',
  summary: 'Say which user somebody in the Zoom meeting is',
  description:
    'For this sitting, or with `remember` whenever the name comes, of which a room keeps 500. Anybody may take any name, so ' +
    `this gives no right: Mute All excepts nobody by name. At most 60 a minute. ${OFF}`,
  params: withExample(z.object({ key: z.string() }), { key: attendee.key }),
  body: withExample(LinkAttendee, { user_id: ID.anita, remember: true }),
  response: { 200: withExample(Done, { success: true, message: 'Saved' }) },
  failures: ['conflict', 'busy'],
} satisfies FastifySchema

const ById = z.object({ id: z.string() })

export const listAttendeeNames = {
  tags,
  operationId: 'listAttendeeNames',
  summary: 'List the names by which a user is recognised in Zoom',
  description: `The names are folded: capitals and accents do not count. ${OFF}`,
  params: withExample(ById, { id: ID.anita }),
  response: { 200: withExample(AttendeeNamesAnswer, { success: true, data: { names: ['anita'] } }) },
} satisfies FastifySchema

export const forgetAttendeeName = {
  tags,
  operationId: 'forgetAttendeeName',
  summary: 'No longer recognise a user in Zoom by a name',
  description: `Also succeeds if the name is forgotten already. At most 60 a minute. ${OFF}`,
  params: withExample(ById, { id: ID.anita }),
  body: withExample(ForgetAttendeeName, { name: 'anita' }),
  response: { 200: withExample(Done, { success: true, message: 'Forgotten' }) },
} satisfies FastifySchema
