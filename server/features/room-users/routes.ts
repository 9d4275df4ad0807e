import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { ById } from '../../../shared/envelope.ts'
import {
  AddRoomUser,
  BulkAnswer,
  BulkUsers,
  CleanupAnswer,
  CredentialsAnswer,
  DeliveryAnswer,
  EditRoomUser,
  ImportAnswer,
  ImportRoomUsers,
  RoomUserAnswer,
  RoomUsersQuery,
  UnmuteBody,
  USER_ACTIONS,
  UserAction,
} from '../../../shared/room-users.ts'
import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors.ts'
import { TokenBuckets } from '../../lib/token-bucket.ts'
import { uuidOr404 } from '../../lib/uuid.ts'
import { allow, signedInHost } from '../auth/guards.ts'
import { snapshotSender } from '../live-room/snapshot.ts'
import { addRoomUser, editRoomUser } from './add-room-user.ts'
import { revealCredentials } from './credentials.ts'
import { findUsers } from './find-users.ts'
import { importRoomUsers } from './import-room-users.ts'
import { setHostMuteAll } from './mute-all.ts'
import { actOnUsers } from './user-actions.ts'

const DONE: Record<UserAction, string> = {
  activate: 'User activated',
  deactivate: 'User deactivated',
  delete: 'User deleted',
  logout: 'User logged out',
  mute: 'User muted',
  unmute: 'User unmuted',
  'lower-hand': 'Hand lowered',
  switch: 'Device binding cleared. User can now login from a new phone.',
}

/** As fast as a person clicks, and a few at once. */
const ACTIONS = { burst: 20, perSecond: 10, message: 'Too many requests. Please wait a moment and try again.' }

export const roomUserRoutes =
  (deps: Deps): FastifyPluginAsyncZod =>
  async (app) => {
    allow(app, deps, 'host')
    const actions = new TokenBuckets(deps.now, ACTIONS)
    const sendSnapshot = snapshotSender(deps.config)

    app.get(
      '/host/users',
      { schema: { querystring: RoomUsersQuery }, config: { background: true } },
      async (request, reply) => {
        const room = await deps.rooms.of(signedInHost(request).host_id)
        const isPlain = Object.keys(request.query).length === 0
        return sendSnapshot(request, reply, isPlain ? room.users : await findUsers(deps, room, request.query))
      },
    )

    app.get('/host/online-users', { config: { background: true } }, async (request, reply) => {
      const room = await deps.rooms.of(signedInHost(request).host_id)
      return sendSnapshot(request, reply, room.online)
    })

    app.post('/host/users', { schema: { body: AddRoomUser, response: { 200: RoomUserAnswer } } }, async (request) => {
      const user = await addRoomUser(deps, signedInHost(request), request.body, request.ip)
      return { success: true as const, message: 'User created successfully', data: { user } }
    })

    app.post(
      '/host/users/import',
      { schema: { body: ImportRoomUsers, response: { 200: ImportAnswer } }, config: { rateLimit: { max: 60 } } },
      async (request) => {
        const host = signedInHost(request)
        const data = await importRoomUsers(deps, host, request.body.users, request.ip)
        const { added, failed } = data
        const message = `${added.length} added${failed.length > 0 ? `, ${failed.length} failed` : ''}`
        return { success: true as const, message, data }
      },
    )

    app.put(
      '/host/users/:id',
      { schema: { params: ById, body: EditRoomUser, response: { 200: RoomUserAnswer } } },
      async (request) => {
        const id = uuidOr404(request.params.id, 'User not found')
        const user = await editRoomUser(deps, signedInHost(request), id, request.body, request.ip)
        return { success: true as const, message: 'User updated successfully', data: { user } }
      },
    )

    app.post(
      '/host/users/:id/credentials',
      {
        schema: { params: ById, response: { 200: CredentialsAnswer } },
        config: {
          isNeverReplayed: true,
          rateLimit: { max: 20 },
          tooMany: 'Too many passwords were shown. Please wait a moment and try again.',
        },
      },
      async (request) => {
        const id = uuidOr404(request.params.id, 'User not found')
        return { success: true as const, data: await revealCredentials(deps, signedInHost(request), id, request.ip) }
      },
    )

    for (const action of USER_ACTIONS) {
      const body = action === 'unmute' ? UnmuteBody : z.unknown()
      app.post(
        `/host/users/:id/${action}`,
        {
          schema: { params: ById, body, response: { 200: DeliveryAnswer } },
          preHandler: async (request) => actions.take(signedInHost(request).host_id),
        },
        async (request) => {
          const id = uuidOr404(request.params.id, 'User not found')
          const expect = action === 'unmute' ? UnmuteBody.parse(request.body)?.expect : undefined
          const { succeeded, targeted, reachable } = await actOnUsers(
            deps,
            signedInHost(request),
            action,
            [id],
            request.ip,
            expect,
          )
          if (succeeded.length === 0) throw new AppError('not_found', 'User not found')
          return { success: true as const, message: DONE[action], data: { targeted, reachable } }
        },
      )
    }

    app.post(
      '/host/users/bulk/:action',
      {
        schema: { params: z.object({ action: UserAction }), body: BulkUsers, response: { 200: BulkAnswer } },
        config: { rateLimit: { max: 300 } },
      },
      async (request) => {
        const { action } = request.params
        const host = signedInHost(request)
        const data = await actOnUsers(deps, host, action, request.body.userIds, request.ip)
        const { succeeded, failed } = data
        const message = `${succeeded.length} done${failed.length > 0 ? `, ${failed.length} failed` : ''}`
        return { success: true as const, message, data }
      },
    )

    app.post(
      '/host/trigger-bulk-mute/:action',
      { schema: { params: z.object({ action: z.enum(['mute', 'unmute']) }), response: { 200: DeliveryAnswer } } },
      async (request) => {
        const active = request.params.action === 'mute'
        const data = await setHostMuteAll(deps, signedInHost(request), active, request.ip)
        return { success: true as const, message: active ? 'All users muted' : 'All users unmuted', data }
      },
    )

    app.post(
      '/host/cleanup-stale-users',
      { schema: { response: { 200: CleanupAnswer } }, config: { rateLimit: { max: 120 } } },
      async (request) => {
        const { host_id } = signedInHost(request)
        const room = await deps.rooms.of(host_id)
        return { success: true as const, cleanedUsers: await room.sweep() }
      },
    )
  }
