import type { FastifySchema } from 'fastify'
import { z } from 'zod'
import { ById } from '../../../shared/envelope.ts'
import { ID } from '../../../shared/examples.ts'
import {
  ActOnUserBody,
  ActOnUsers,
  BulkAnswer,
  DeliveryAnswer,
  PINNED_MAX,
  type SeenUser,
  UserAction,
} from '../../../shared/room-users.ts'
import { withExample } from '../../lib/with-example.ts'

export const USER_ACTION_DONE: Record<UserAction, string> = {
  activate: 'User activated',
  deactivate: 'User deactivated',
  delete: 'User deleted',
  logout: 'User signed out',
  mute: 'User muted',
  unmute: 'User unmuted',
  'lower-hand': 'Hand lowered',
  pin: 'User pinned',
  unpin: 'User no longer pinned',
  switch: 'Device binding cleared. User can now login from a new phone.',
}

const WORDS: Record<UserAction, { operationId: string; summary: string; description?: string }> = {
  activate: { operationId: 'activateUser', summary: 'Allow a user to sign in again' },
  deactivate: { operationId: 'deactivateUser', summary: "Block a user and sign out the user's phone" },
  delete: { operationId: 'deleteUser', summary: 'Delete a user permanently' },
  logout: { operationId: 'logoutUser', summary: "Sign out a user's phone" },
  mute: { operationId: 'muteUser', summary: 'Mute a user' },
  unmute: {
    operationId: 'unmuteUser',
    summary: 'Unmute a user',
    description: 'Unmutes this one user while the room is muted, until the next Mute All.',
  },
  'lower-hand': {
    operationId: 'lowerHand',
    summary: 'Take a user out of the queue to speak',
    description:
      'The phone receives it as its own `user-speaker-toggle` event, and may ask again. Nothing else changes for it.',
  },
  pin: {
    operationId: 'pinUser',
    summary: 'Keep a user unmuted through Mute All',
    description:
      'Mute All leaves a pinned user as it is, in this meeting and in later ones, until the user is unpinned: one who is ' +
      `muted stays muted. A mute of this one user works as before. At most ${PINNED_MAX} of a room.`,
  },
  unpin: { operationId: 'unpinUser', summary: 'Have Mute All mute a user again' },
  switch: {
    operationId: 'switchUser',
    summary: 'Clear the device binding of a user',
    description: 'Signs out the old phone; the status is `C` until a new one has signed in.',
  },
}

const EXPECTED = '`expect` is what the caller saw of the user: if any of it has changed since, nothing happens.'

const SEEN: Partial<Record<UserAction, SeenUser>> = {
  delete: { username: 'anita', user_id: 'U000001' },
  unmute: { is_muted: true },
  'lower-hand': { wants_to_speak_at: '2026-11-20T12:00:00.000Z' },
  switch: { device_id: null },
}

const ONE = { targeted: 1, reachable: 1 }

export const actOnUser = (action: UserAction) =>
  ({
    tags: ['Room users'],
    ...WORDS[action],
    description: [WORDS[action].description, EXPECTED].join(' ').trim(),
    params: withExample(ById, { id: ID.anita }),
    body: withExample(ActOnUserBody, { expect: SEEN[action] ?? {} }),
    response: {
      200: withExample(DeliveryAnswer, { success: true, message: USER_ACTION_DONE[action], data: ONE }),
    },
    failures: ['state_changed', ...(action === 'pin' ? (['conflict'] as const) : []), 'too_many', 'busy'],
  }) satisfies FastifySchema

export const applyUserAction = {
  tags: ['Room users'],
  operationId: 'applyUserAction',
  summary: 'Do the same to many users',
  description:
    "At most 500, each counted once, in one transaction. An id of another host's user fails like one that does " +
    'not exist. One whose `expect` no longer holds fails with `state_changed`, and stays as it is.',
  params: withExample(z.object({ action: UserAction }), { action: 'mute' }),
  body: withExample(ActOnUsers, { userIds: [ID.anita, ID.master] }),
  response: {
    200: withExample(BulkAnswer, {
      success: true,
      message: '1 done, 1 failed',
      data: {
        ...ONE,
        succeeded: [ID.anita],
        failed: [{ id: ID.master, code: 'not_found', message: 'User not found' }],
      },
    }),
  },
  failures: ['conflict', 'busy'],
} satisfies FastifySchema
