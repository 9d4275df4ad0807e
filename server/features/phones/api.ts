import type { FastifySchema } from 'fastify'
import { z } from 'zod'
import { Done } from '../../../shared/envelope.ts'
import { anita, host, ID, liveState, MEETING, NEXT_MEETING, PASSWORD, phone, TOKEN } from '../../../shared/examples.ts'
import {
  JoinTicketAnswer,
  MobileLogin,
  MobileLoginAnswer,
  MobileMeAnswer,
  MobileStatus,
  MobileStatusAnswer,
  RoomBrandingAnswer,
  RoomSummaryAnswer,
} from '../../../shared/mobile.ts'
import { withExample } from '../../lib/with-example.ts'

const tags = ['Phones']
const RoomParams = z.object({ host_id: z.string().max(32).describe('The Host ID, in any case.') })

export const getRoomBranding = {
  tags,
  operationId: 'getRoomBranding',
  summary: 'Get what a phone shows of a room before its user signs in',
  description:
    'Its name and logo, by the Host ID, which a link or a QR code of the host carries. A host can hide them, and the ' +
    'answer is then as for a room that does not exist. One address may ask sixty times at once, and once a second ' +
    'after that; one network may ask for ten unknown rooms a minute.',
  params: withExample(RoomParams, { host_id: host.user_id }),
  response: {
    200: withExample(RoomBrandingAnswer, {
      success: true,
      data: {
        host_id: host.user_id,
        room_name: host.room_name,
        user_title: phone.app.user_title,
        logo_url: phone.app.logo_url,
      },
    }),
  },
  failures: ['not_found', 'too_many'],
} satisfies FastifySchema

/** The answer to a phone that has signed in, by password or by link. */
export const loginAnswer = withExample(MobileLoginAnswer, {
  success: true,
  data: { token: TOKEN, device_secret: 'mUq0c9n5Jx2w8bT1rYk4ZfVhD7sLgE3aPoQiN6tCeRM', ...phone },
})

/** The reasons to refuse a phone, whether it signs in by password or by link. */
export const LOGIN_FAILURES = [
  'subscription_cancelled',
  'subscription_inactive',
  'room_stopped',
  'user_inactive',
  'device_mismatch',
  'too_many',
  'busy',
] as const

export const loginPhone = {
  tags,
  operationId: 'loginPhone',
  summary: 'Sign a phone in',
  description:
    'The first login binds the account to `device_id`; another phone is refused until the host switches it. A new ' +
    'login from the bound phone ends the older session. An app that keeps secrets sends `device_secret` with every ' +
    'login, null while it has none, and stores the one in an answer before it uses the session; if an answer has ' +
    'none, the stored one stays valid. Once a phone has used such a session or has sent the secret, a login with ' +
    'its `device_id` but without the secret counts as another phone. An app that leaves the field out is ' +
    'recognised by its `device_id` alone. A host signs in with its own host id as `username` and the password ' +
    'of App Info. The reason for a refusal is given only after the right password.',
  body: withExample(MobileLogin, {
    host_id: host.user_id,
    username: phone.user.username,
    password: PASSWORD,
    device_id: '60303ae22b998861',
    device_secret: null,
    device_model: 'Galaxy A16',
    platform: 'android',
    app_version: '1.4.0',
  }),
  response: { 200: loginAnswer },
  failures: ['wrong_credentials', ...LOGIN_FAILURES],
} satisfies FastifySchema

export const logoutPhone = {
  tags,
  operationId: 'logoutPhone',
  summary: 'Sign this phone out',
  response: { 200: withExample(Done, { success: true, message: 'Logged out successfully' }) },
} satisfies FastifySchema

export const getPhone = {
  tags,
  operationId: 'getPhone',
  summary: "Get this phone's user, room and live state",
  response: { 200: withExample(MobileMeAnswer, { success: true, data: { ...phone, state: liveState } }) },
  failures: ['not_found'],
} satisfies FastifySchema

export const getRoomSummary = {
  tags,
  operationId: 'getRoomSummary',
  summary: 'Get how many are here, who speaks and how many wait',
  description:
    "`online` counts the phones that are online, the host's own too. `speaking` are the first ten who speak, the " +
    'longest first. `next_meeting` is absent if none is planned. `queue_place` is the own place among those who asked ' +
    'to speak, in the order that the host has chosen: 1 is next. For a poll every ten seconds; it is no sign of life, ' +
    'which the status call is. A session may ask thirty times at once, and once a ' +
    'second after that.',
  response: {
    200: withExample(RoomSummaryAnswer, {
      success: true,
      data: {
        online: 2,
        speaking: [{ id: anita.id, username: anita.username }],
        waiting: 3,
        queue_place: 2,
        next_meeting: NEXT_MEETING,
      },
    }),
  },
  failures: ['not_found', 'too_many'],
} satisfies FastifySchema

export const sendStatus = {
  tags,
  operationId: 'sendStatus',
  summary: "Report this phone's state and get the current one",
  description:
    'Without a body it is the heartbeat. A phone sends one at least every 10 s, is shown as not answering after ' +
    '15 s of silence, and is offline after 30 s; an open stream alone does not keep it online. `awake: false` ' +
    'means that its page is in the background and may stop sending; a call without it says that it is not. ' +
    '`left: true` means that the user has left the room: the phone is offline at once, stays signed in, and comes ' +
    'back with its next call; ten times at once, then every six seconds, and beyond that it counts as ' +
    '`awake: false`. `rejoined: true` belongs into the first call after the answer to `left`: the phone comes back also ' +
    'at a server that has not heard yet that it left. A phone that comes online while the ' +
    'subscription is not active is refused; one that is online stays until it leaves. A muted phone stays silent ' +
    'whatever it sends, but may ask to speak. Beyond twenty changes a second, the last one is published a moment ' +
    'later. `muted_again` means that the user opened the microphone in Zoom while muted, and that the app has closed ' +
    'it: consoles are notified, of one user at most every two seconds. `zoom_code` is the code with which Zoom refused the ' +
    'phone, or null: consoles show it, and the log has it. `declined` is the user’s “Not now” to a host who asks to speak. ' +
    '`acks` are the ids of the commands that the phone has carried out. `asked_to_speak` in the answer means that ' +
    'the host has asked and waits for an answer.',
  body: withExample(MobileStatus, { wants_to_speak: true, acks: ['7f-13'] }),
  response: { 200: withExample(MobileStatusAnswer, { success: true, data: liveState }) },
  failures: ['not_found', 'subscription_cancelled', 'subscription_inactive'],
} satisfies FastifySchema

export const getJoinTicket = {
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
} satisfies FastifySchema
