import type { FastifyRequest } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { ById } from '../../../shared/envelope.ts'
import { anita, ID, PASSWORD, ravi } from '../../../shared/examples.ts'
import {
  AddRoomUser,
  EditRoomUser,
  ImportAnswer,
  ImportRoomUsers,
  OnlineUsersAnswer,
  RoomUserAnswer,
  RoomUsersAnswer,
  RoomUsersQuery,
} from '../../../shared/room-users.ts'
import type { Deps } from '../../deps.ts'
import { uuidOr404 } from '../../lib/uuid.ts'
import { withExample } from '../../lib/with-example.ts'
import { allow, ofSession, signedInHost } from '../auth/guards.ts'
import { snapshotSender } from '../live-room/streams/polled-list.ts'
import { findUsers } from './find-users.ts'
import { importRoomUsers } from './import-room-users.ts'
import { addRoomUser, editRoomUser } from './room-users.ts'

const tags = ['Room users']
/** A console polls twice a second. */
const POLL_LIMIT = { max: 1_200, keyGenerator: ofSession }
const isPlain = ({ query }: { query: unknown }) => Object.keys(Object(query)).length === 0
/** Searches read the database; the list that a console polls is in memory. */
const turns = (request: FastifyRequest) => (isPlain(request) ? ('none' as const) : ('database' as const))
const UserId = withExample(ById, { id: ID.anita })
const NotModified = z.undefined().describe('The caller has the current version.')

export const roomUserRoutes =
  (deps: Deps): FastifyPluginAsyncZod =>
  async (app) => {
    allow(app, deps, 'host')
    const sendSnapshot = snapshotSender(deps.config)

    app.get(
      '/host/users',
      {
        schema: {
          tags,
          operationId: 'listUsers',
          summary: "List the host's users",
          description:
            'Returns a strong `ETag`; `If-None-Match` is answered with 304. Never contains passwords. Does not keep an ' +
            'idle session alive. With `search`, `status`, `limit` or `offset` it holds the matching users, and `total` is ' +
            'their number. A session gets it at most 1,200 times a minute.',
          querystring: withExample(RoomUsersQuery, { search: 'ani', status: 'Online', limit: 50, offset: 0 }),
          response: {
            200: withExample(RoomUsersAnswer, {
              success: true,
              data: { users: [anita, ravi], next_user_id: 'U000003' },
            }),
            304: NotModified,
          },
          readsHeaders: ['IfNoneMatch'],
        },
        config: { background: true, rateLimit: POLL_LIMIT, isCountedAlone: true, turns },
      },
      (request, reply) =>
        deps.rooms.useUpToDate(signedInHost(request).host_id, async (room) => {
          sendSnapshot(request, reply, isPlain(request) ? room.users : await findUsers(deps, room, request.query))
        }),
    )

    app.get(
      '/host/online-users',
      {
        schema: {
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
            }),
            304: NotModified,
          },
          readsHeaders: ['IfNoneMatch'],
        },
        config: { background: true },
      },
      (request, reply) =>
        deps.rooms.use(signedInHost(request).host_id, (room) => sendSnapshot(request, reply, room.online)),
    )

    app.post(
      '/host/users',
      {
        schema: {
          tags,
          operationId: 'addUser',
          summary: 'Add a user',
          description: '`username` and `user_id` are unique within the host, without regard to case and Unicode form.',
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
        },
      },
      async (request) => {
        const user = await addRoomUser(deps, signedInHost(request), request.body, request.ip)
        return { success: true as const, message: 'User created successfully', data: { user } }
      },
    )

    app.post(
      '/host/users/import',
      {
        schema: {
          tags,
          operationId: 'importUsers',
          summary: 'Add many users',
          description:
            'At most 500, in one transaction and in the given order. A user whose `username` or `user_id` is taken, in the ' +
            'room or earlier in the list, is reported by its index and does not stop the others; an invalid field ' +
            'refuses the whole call.',
          body: withExample(ImportRoomUsers, {
            users: [
              { username: 'meera', user_id: 'U000003', password: PASSWORD, reference: null },
              { username: 'anita', user_id: 'U000004', password: PASSWORD, reference: 'Soprano' },
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
        },
        config: { rateLimit: { max: 60 } },
      },
      async (request) => {
        const host = signedInHost(request)
        const data = await importRoomUsers(deps, host, request.body, request.ip)
        const { added, failed } = data
        const message = `${added.length} added${failed.length > 0 ? `, ${failed.length} failed` : ''}`
        return { success: true as const, message, data }
      },
    )

    app.put(
      '/host/users/:id',
      {
        schema: {
          tags,
          operationId: 'editUser',
          summary: 'Edit a user',
          description:
            'A blank password keeps the current one. The rules for names hold for those that the edit changes.',
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
        },
      },
      async (request) => {
        const id = uuidOr404(request.params.id, 'User not found')
        const user = await editRoomUser(deps, signedInHost(request), id, request.body, request.ip)
        return { success: true as const, message: 'User updated successfully', data: { user } }
      },
    )
  }
