import type { Calls } from '../call.ts'
import { done, ID, MEETING, phone, TOKEN } from '../examples.ts'

const state = {
  is_muted: true,
  speaker_on: false,
  wants_to_speak: true,
  is_speaking: false,
  host_mute_all_active: true,
}

export const phoneCalls: Calls = {
  'POST /mobile/login': {
    tag: 'Phones',
    name: 'loginPhone',
    summary: 'Sign a phone in',
    description:
      'The first login binds the account to `device_id`; another phone is refused until the host switches it. A new login ' +
      'from the bound phone ends the older session. An app that keeps secrets sends `device_secret` with every login, null ' +
      'while it has none, and stores the one that an answer holds before it uses the session; without one in the answer, ' +
      'the stored one goes on. Once a phone has used such a session, or has presented the secret, its `device_id` without ' +
      'it is that of another phone. An app that leaves the field out is known by its `device_id` alone. A host signs in with its own host id as `username` and the password ' +
      'of App Info. Why a phone is refused is told only after the right password.',
    body: {
      host_id: 'H000001',
      username: 'anita',
      password: 'correct horse battery',
      device_id: '60303ae22b998861',
      device_secret: null,
      device_model: 'Galaxy A16',
      platform: 'android',
      app_version: '1.4.0',
    },
    answer: {
      success: true,
      data: { token: TOKEN, device_secret: 'mUq0c9n5Jx2w8bT1rYk4ZfVhD7sLgE3aPoQiN6tCeRM', ...phone },
    },
    failures: [
      'wrong_credentials',
      'subscription_cancelled',
      'subscription_inactive',
      'room_stopped',
      'user_inactive',
      'device_mismatch',
      'too_many',
      'busy',
    ],
  },
  'POST /mobile/logout': {
    tag: 'Phones',
    name: 'logoutPhone',
    summary: 'Sign this phone out',
    answer: done('Logged out successfully'),
  },
  'GET /mobile/me': {
    tag: 'Phones',
    name: 'getPhone',
    summary: 'Read the own user, room and live state',
    answer: { success: true, data: { ...phone, state } },
    failures: ['not_found'],
  },
  'POST /mobile/status': {
    tag: 'Phones',
    name: 'sendStatus',
    summary: 'Say what this phone does, and hear what holds',
    description:
      'Without a body it is the heartbeat: a phone sends one at least every 10 s, is shown as not answering after 15 s ' +
      'of silence, and counts as offline after 30 s; an open stream alone does not keep it online. `awake: false` says ' +
      'that its page goes to the background, and that it may soon be silent. A phone that comes while the subscription ' +
      'is not active is refused; one that is online stays until it leaves. A muted phone stays silent whatever it sends, ' +
      'but may ask to speak. Of more than twenty changes a second the last is heard a moment later. `acks` are the ids of ' +
      'the commands that it has carried out.',
    body: { wants_to_speak: true, acks: ['7f-13'] },
    answer: { success: true, data: state },
    failures: ['not_found', 'subscription_cancelled', 'subscription_inactive'],
  },
  'POST /mobile/join-ticket': {
    tag: 'Phones',
    name: 'getJoinTicket',
    summary: "Get what Zoom's Meeting SDK needs to join",
    description:
      "`signature` is good for two hours, `customer_key` is the user's `id`. Where the host's Zoom account is another than " +
      "the app's own, `obf_token` lets this one joining in on behalf of the host: it is fresh in every ticket, and there is " +
      "none before the host is in the meeting. That is judged by Zoom's events of the host's joins and leaves, and by the " +
      "host's own phone, which counts while it is online and the meeting runs. Who is too early gets `host_not_present`, " +
      'waits for `Retry-After` and asks again; `host_presence` says whether the host is known to be `absent` or it is ' +
      "`unknown`. `zak` is in the ticket of the host's own phone alone. A person gets twelve tickets a " +
      'minute. Where many join another account at once, they take turns at the pace that Zoom allows; one whose turn would ' +
      'come too late is told `busy`, and when to ask again.',
    answer: {
      success: true,
      data: {
        meeting_number: MEETING.number,
        passcode: 'kT7wQp3xRb',
        signature: TOKEN,
        user_name: 'anita',
        customer_key: ID.anita,
        obf_token: TOKEN,
        expires_at: '2026-11-20T14:00:00.000Z',
      },
    },
    failures: [
      'subscription_cancelled',
      'subscription_inactive',
      'room_not_connected',
      'host_not_present',
      'zoom_reconnect',
      'zoom_unavailable',
      'busy',
      'too_many',
    ],
  },
}
