import type { FastifySchema } from 'fastify'
import { z } from 'zod'
import { ById } from '../../../shared/envelope.ts'
import { anita, host, ID, NOON, PASSWORD, ravi, roomWord, soloists } from '../../../shared/examples.ts'
import {
  AddRoomUser,
  CredentialsAnswer,
  CredentialsBody,
  CredentialsOfManyAnswer,
  EditRoomUser,
  ImportAnswer,
  ImportRoomUsers,
  OneRoomUserAnswer,
  OnlineUsersAnswer,
  RevealCredentials,
  RoomUserAnswer,
  RoomUsersAnswer,
  RoomUsersQuery,
} from '../../../shared/room-users.ts'
import { UserHistoryAnswer, UserHistoryQuery } from '../../../shared/user-history.ts'
import { withExample } from '../../lib/with-example.ts'

const tags = ['Room users']
const UserId = withExample(ById, { id: ID.anita })
const NotModified = z.undefined().describe('The caller has the current version.')
const JOINED = '2026-11-20T11:30:00.000Z'

export const listUsers = {
  tags,
  operationId: 'listUsers',
  summary: "List the host's users",
  description:
    'Returns a strong `ETag`; `If-None-Match` is answered with 304. Never contains passwords. Does not keep an ' +
    'idle session alive. With `search`, `status`, `group`, `limit` or `offset` it holds the matching users, and `total` is ' +
    'their number. A session gets the whole list at most 1,200 times a minute; a host searches it at most 120 times a minute.',
  querystring: withExample(RoomUsersQuery, { search: 'ani', status: 'Online', group: ID.group, limit: 50, offset: 0 }),
  response: {
    200: withExample(RoomUsersAnswer, {
      success: true,
      data: { users: [anita, ravi], next_user_id: 'U000003', groups: [soloists] },
    }),
    304: NotModified,
  },
  readsHeaders: ['IfNoneMatch'],
} satisfies FastifySchema

export const listOnlineUsers = {
  tags: ['Live control'],
  operationId: 'listOnlineUsers',
  summary: 'List who is online',
  description:
    "A user is online while the last status call of the user's phone is less than 30 s old, and `asleep` (not " +
    'answering) when it is more than 15 s old or said `awake: false`. `last_seen` is at most half a minute behind. ' +
    'Returns a strong `ETag`; `If-None-Match` is answered with 304. `pending_command` is what the phone has not ' +
    'acknowledged yet. Does not keep an idle session alive.',
  response: {
    200: withExample(OnlineUsersAnswer, {
      success: true,
      data: { users: [anita] },
      host_mute_all_active: true,
      floor_user_id: null,
      floor_since: null,
      turn_limit: { minutes: 5, mutes: true },
      queue_order: 'least_spoken',
      groups: [soloists],
      words: [roomWord],
      last_act: {
        act: '41',
        action: 'mute_all',
        by: { id: ID.host, name: 'stmary', role: 'host' },
        at: NOON,
      },
      moderators: [{ id: ID.host, name: 'stmary', role: 'host', since: NOON }],
    }),
    304: NotModified,
  },
  readsHeaders: ['IfNoneMatch'],
} satisfies FastifySchema

export const addUser = {
  tags,
  operationId: 'addUser',
  summary: 'Add a user',
  description:
    '`username` and `user_id` are unique within the host, without regard to case and Unicode form. `group_ids` are ids of ' +
    '`GET /host/groups`.',
  body: withExample(AddRoomUser, {
    username: 'ravi',
    user_id: 'U000002',
    password: PASSWORD,
    reference: null,
  }),
  response: {
    200: withExample(RoomUserAnswer, {
      success: true,
      message: 'User created successfully',
      data: { user: ravi },
    }),
  },
  failures: ['conflict', 'too_many', 'busy'],
} satisfies FastifySchema

export const importUsers = {
  tags,
  operationId: 'importUsers',
  summary: 'Add many users',
  description:
    'At most 500, in one transaction and in the given order. A user whose `username` or `user_id` is taken, in the ' +
    'room or earlier in the list, is reported by its index and does not stop the others; an invalid field ' +
    'refuses the whole call. A group in `groups` that does not exist is made; a user who would need more groups than a ' +
    'room may have (50) is reported, too.',
  body: withExample(ImportRoomUsers, {
    users: [
      { username: 'meera', user_id: 'U000003', password: PASSWORD, reference: null },
      { username: 'anita', user_id: 'U000004', password: PASSWORD, reference: 'Soprano', groups: ['Soloists'] },
    ],
    import_id: '5b0f7f0e-41f5-4c0c-9a6c-7d6c0a3a8e21',
  }),
  response: {
    200: withExample(ImportAnswer, {
      success: true,
      message: '1 added, 1 failed',
      data: {
        added: [{ index: 0, id: 'f2b6c8d0-7e31-4a95-8c4d-0b9a6e3f1d72', user_id: 'U000003' }],
        failed: [{ index: 1, path: 'username', message: 'This username is already in use' }],
      },
    }),
  },
} satisfies FastifySchema

export const editUser = {
  tags,
  operationId: 'editUser',
  summary: 'Edit a user',
  description:
    'A blank password keeps the current one. The rules for names hold for those that the edit changes. Without ' +
    '`group_ids` the groups stay. With `expect`, nothing is saved if the user has changed since.',
  params: UserId,
  body: withExample(EditRoomUser, {
    username: 'anita.thomas',
    user_id: 'U000001',
    password: '',
    reference: 'Alto',
  }),
  response: {
    200: withExample(RoomUserAnswer, {
      success: true,
      message: 'User updated successfully',
      data: { user: { ...anita, username: 'anita.thomas', reference: 'Alto' } },
    }),
  },
  failures: ['conflict', 'too_many', 'busy'],
} satisfies FastifySchema

export const getUser = {
  tags: ['Room users'],
  operationId: 'getUser',
  summary: 'Get one user',
  description: 'As in the list, with the live state. Does not keep an idle session alive.',
  params: withExample(ById, { id: ID.anita }),
  response: {
    200: withExample(OneRoomUserAnswer, { success: true, data: { user: anita, groups: [soloists], word: null } }),
  },
} satisfies FastifySchema

export const getUserHistory = {
  tags: ['Room users'],
  operationId: 'getUserHistory',
  summary: 'Get when a user was online',
  description:
    'Stays newest first. `next` is the `before` of the next page; `visits` and `total_seconds` count all of ' +
    'them. What the user did, and what was done to it, is in the audit log: `GET /host/audit?user=`.',
  params: withExample(ById, { id: ID.anita }),
  querystring: withExample(UserHistoryQuery, { before: '2030-01-01T00:00:00.000Z', limit: 20 }),
  response: {
    200: withExample(UserHistoryAnswer, {
      success: true,
      data: {
        created_at: '2026-03-01T09:30:00.000Z',
        device_bound_at: '2026-03-02T18:00:00.000Z',
        visits: 41,
        total_seconds: 147_600,
        stays: [{ joined_at: JOINED, left_at: null, seconds: 1800 }],
        next: JOINED,
      },
    }),
  },
} satisfies FastifySchema

export const revealCredentials = {
  tags,
  operationId: 'revealCredentials',
  summary: "Reveal a user's credentials",
  description:
    'Every use is recorded in the audit log. A host may see 2,000 passwords at once, and 20 a minute after that.',
  params: withExample(ById, { id: ID.anita }),
  body: withExample(CredentialsBody, { purpose: 'copy' }),
  response: {
    200: withExample(CredentialsAnswer, {
      success: true,
      data: { host_id: 'H000001', user_id: 'U000001', username: 'anita', password: PASSWORD },
    }),
  },
} satisfies FastifySchema

export const revealCredentialsOfMany = {
  tags,
  operationId: 'revealCredentialsOfMany',
  summary: 'Reveal the credentials of many users',
  description:
    'For cards to hand out: at most 500 users, each once, in the order of the call. The audit log names all of ' +
    "them. An id of another host's user fails like one that does not exist.",
  body: withExample(RevealCredentials, { userIds: [ID.anita, ID.master], purpose: 'cards' }),
  response: {
    200: withExample(CredentialsOfManyAnswer, {
      success: true,
      data: {
        host_id: host.user_id,
        room_name: host.room_name,
        app_title: null,
        credentials: [{ id: ID.anita, user_id: anita.user_id, username: anita.username, password: PASSWORD }],
        failed: [{ id: ID.master, code: 'not_found', message: 'User not found' }],
      },
    }),
  },
} satisfies FastifySchema
