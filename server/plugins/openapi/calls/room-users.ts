import { RoomUsersAnswer, type UserAction } from '../../../../shared/room-users.ts'
import type { Call, Calls } from '../call.ts'
import { anita, done, ID, ravi } from '../examples.ts'

const one = { targeted: 1, reachable: 1 }
const act = (
  action: Exclude<UserAction, 'lower-hand'>,
  summary: string,
  message: string,
  description?: string,
): Call => ({
  tag: 'Room users',
  name: `${action}User`,
  summary,
  ...(description && { description }),
  answer: { ...done(message), data: one },
  failures: ['too_many', 'busy'],
})

export const roomUserCalls: Calls = {
  'GET /host/users': {
    tag: 'Room users',
    name: 'listUsers',
    summary: "List the room's users",
    description:
      'Carries a strong `ETag`; `If-None-Match` is answered with 304. Passwords are never in it. Does not keep an ' +
      'idle session alive. With `search`, `status`, `limit` or `offset` it holds what matches, and `total` counts that.',
    parameters: {
      search: {
        example: 'ani',
        description: 'A part of the username, the User ID or the reference, whatever the case.',
      },
      status: { example: 'Online' },
      limit: { example: 50 },
      offset: { example: 0 },
    },
    answer: { success: true, data: { users: [anita, ravi], next_user_id: 'U000003' } },
    schemas: { answer: RoomUsersAnswer },
    also: { 304: 'The reader has this version already.' },
    reads: ['IfNoneMatch'],
  },
  'POST /host/users': {
    tag: 'Room users',
    name: 'addUser',
    summary: 'Add a user',
    description: '`username` and `user_id` are unique within the host, whatever their case and Unicode form.',
    body: { username: 'ravi', user_id: 'U000002', password: 'correct horse battery', reference: null },
    answer: { ...done('User created successfully'), data: { user: ravi } },
    failures: ['conflict', 'too_many', 'busy'],
  },
  'POST /host/users/import': {
    tag: 'Room users',
    name: 'importUsers',
    summary: 'Add many users',
    description:
      'At most 100, in one transaction and in their order. One whose `username` or `user_id` is taken, in the room or ' +
      'earlier in the list, is reported by its place and does not hold up the others; one that breaks a rule of a field ' +
      'refuses the whole call.',
    body: {
      users: [
        { username: 'ravi', user_id: 'U000002', password: 'correct horse battery', reference: null },
        { username: 'anita', user_id: 'U000003', password: 'correct horse battery', reference: 'Soprano' },
      ],
    },
    answer: {
      ...done('1 added, 1 failed'),
      data: {
        added: [{ index: 0, id: ID.ravi, user_id: 'U000002' }],
        failed: [{ index: 1, path: 'username', message: 'This username is already in use' }],
      },
    },
    failures: ['busy', 'too_many'],
  },
  'PUT /host/users/:id': {
    tag: 'Room users',
    name: 'editUser',
    summary: 'Edit a user',
    description: 'A blank password keeps the present one.',
    body: { username: 'anita', user_id: 'U000001', password: '', reference: 'Soprano' },
    answer: { ...done('User updated successfully'), data: { user: anita } },
    failures: ['conflict', 'too_many', 'busy'],
  },
  'POST /host/users/:id/credentials': {
    tag: 'Room users',
    name: 'revealCredentials',
    summary: "Reveal a user's credentials",
    description: 'The only call that shows a password. Every use is kept in the audit trail.',
    answer: {
      success: true,
      data: { host_id: 'H000001', user_id: 'U000001', username: 'anita', password: 'correct horse battery' },
    },
    failures: ['too_many'],
  },
  'POST /host/users/:id/activate': act('activate', 'Let a user sign in again', 'User activated'),
  'POST /host/users/:id/deactivate': act('deactivate', 'Lock a user out, and sign its phone out', 'User deactivated'),
  'POST /host/users/:id/delete': act('delete', 'Delete a user for good', 'User deleted'),
  'POST /host/users/:id/logout': act('logout', "Sign a user's phone out", 'User logged out'),
  'POST /host/users/:id/mute': act('mute', 'Mute a user', 'User muted'),
  'POST /host/users/:id/unmute': {
    ...act('unmute', 'Unmute a user', 'User unmuted'),
    description:
      'Opens this one user while the room is muted, until the next Mute All. `expect` is the state that was seen: ' +
      'where it no longer holds, nothing happens.',
    body: { expect: { is_muted: true } },
    failures: ['state_changed', 'too_many', 'busy'],
  },
  'POST /host/users/:id/lower-hand': {
    tag: 'Room users',
    name: 'lowerHand',
    summary: 'Take a user out of the queue of those who ask to speak',
    description:
      'The phone hears it as a `user-speaker-toggle` of its own, and may ask again. Nothing else changes for it.',
    answer: { ...done('Hand lowered'), data: one },
    failures: ['too_many', 'busy'],
  },
  'POST /host/users/:id/switch': act(
    'switch',
    'Clear the device binding of a user',
    'Device binding cleared. User can now login from a new phone.',
    'Signs the old phone out; the status is `C` until a new one has signed in.',
  ),
  'POST /host/users/bulk/:action': {
    tag: 'Room users',
    name: 'actOnUsers',
    summary: 'Do the same to many users',
    description:
      'At most 500, each counted once, in one transaction. An id that is not yours fails like one that does not exist.',
    parameters: { action: { example: 'mute' } },
    failures: ['too_many', 'busy'],
    body: { userIds: [ID.anita, ID.master] },
    answer: {
      ...done('1 done, 1 failed'),
      data: {
        ...one,
        succeeded: [ID.anita],
        failed: [{ id: ID.master, code: 'not_found', message: 'User not found' }],
      },
    },
  },
}
