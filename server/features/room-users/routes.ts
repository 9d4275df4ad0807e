import type { FastifyRequest } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { HOST_ROLES } from '../../../shared/auth.ts'
import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors.ts'
import { TokenBuckets } from '../../lib/token-bucket.ts'
import { uuidOr404 } from '../../lib/uuid.ts'
import { actorKeyOf, allow, sessionIdOf, signedInHost } from '../auth/guards.ts'
import { polledAnswerSender } from '../live-room/streams/polled-list.ts'
import * as api from './api.ts'
import { revealCredentials, revealCredentialsOfMany } from './credentials.ts'
import { findUsers } from './find-users.ts'
import { importRoomUsers } from './import-room-users.ts'
import { addRoomUser, editRoomUser } from './room-users.ts'
import { readUserHistory } from './user-history.ts'

const isPlain = ({ query }: { query: unknown }) => Object.keys(Object(query)).length === 0

/** A console polls the whole list twice a second, which costs nothing. A search goes through all users. */
const POLLS_AND_SEARCHES = {
  rateLimit: {
    max: (request: FastifyRequest) => (isPlain(request) ? 1_200 : 120),
    keyGenerator: (request: FastifyRequest) =>
      isPlain(request) ? sessionIdOf(request) : `searches ${actorKeyOf(request)}`,
  },
  isCountedAlone: true,
  turns: (request: FastifyRequest) => (isPlain(request) ? ('none' as const) : ('database' as const)),
}

/** Counts passwords, not calls: the cards of a whole room at once, then twenty a minute. */
const REVEALED = {
  name: 'revealed passwords',
  burst: 2_000,
  perSecond: 20 / 60,
  message: 'Too many passwords were shown. Please wait a moment and try again.',
}

export const roomUserRoutes =
  (deps: Deps): FastifyPluginAsyncZod =>
  async (app) => {
    allow(app, deps, 'host', 'manager')
    const sendPolledAnswer = polledAnswerSender(deps)

    app.get(
      '/host/users',
      { schema: api.listUsers, config: { background: true, sendsOwnHeaders: true, ...POLLS_AND_SEARCHES } },
      async (request, reply) => {
        const { host_id } = signedInHost(request)
        const room = deps.rooms.peekFresh(host_id) ?? (await deps.rooms.getFresh(host_id))
        if (!isPlain(request)) return sendPolledAnswer(request, reply, await findUsers(room, request.query))
        const due = room.waitForUsers()
        if (due) await due
        return sendPolledAnswer(request, reply, room.users)
      },
    )

    app.post('/host/users', { schema: api.addUser }, async (request) => {
      const user = await addRoomUser(deps, signedInHost(request), request.body)
      return { success: true as const, message: 'User created successfully', data: { user } }
    })

    app.post('/host/users/import', { schema: api.importUsers, config: { rateLimit: { max: 60 } } }, async (request) => {
      const data = await importRoomUsers(deps, signedInHost(request), request.body)
      const { added, failed } = data
      const message = `${added.length} added${failed.length > 0 ? `, ${failed.length} failed` : ''}`
      return { success: true as const, message, data }
    })

    app.put('/host/users/:id', { schema: api.editUser }, async (request) => {
      const id = uuidOr404(request.params.id, 'User not found')
      const user = await editRoomUser(deps, signedInHost(request), id, request.body)
      return { success: true as const, message: 'User updated successfully', data: { user } }
    })
  }

export const onlineUserRoutes =
  (deps: Deps): FastifyPluginAsyncZod =>
  async (app) => {
    allow(app, deps, ...HOST_ROLES)
    const sendPolledAnswer = polledAnswerSender(deps)

    app.get(
      '/host/online-users',
      { schema: api.listOnlineUsers, config: { background: true, sendsOwnHeaders: true, turns: 'none' } },
      async (request, reply) => {
        const { host_id } = signedInHost(request)
        const room = deps.rooms.peek(host_id) ?? (await deps.rooms.get(host_id))
        const due = room.waitForOnline()
        if (due) await due
        return sendPolledAnswer(request, reply, room.online)
      },
    )
  }

export const oneUserRoutes =
  (deps: Deps): FastifyPluginAsyncZod =>
  async (app) => {
    allow(app, deps, 'host', 'manager')
    const revealed = new TokenBuckets(deps, REVEALED)

    app.get(
      '/host/users/:id',
      { schema: api.getUser, exposeHeadRoute: false, config: { background: true, turns: 'none' } },
      async (request) => {
        const { host_id } = signedInHost(request)
        const room = deps.rooms.peekFresh(host_id) ?? (await deps.rooms.getFresh(host_id))
        const user = room.user(uuidOr404(request.params.id, 'User not found'))
        if (!user) throw new AppError('not_found', 'User not found')
        const word = room.standingWords().find((one) => one.user?.id === user.id) ?? null
        return { success: true as const, data: { user, groups: [...room.groups], word } }
      },
    )

    app.get('/host/users/:id/history', { schema: api.getUserHistory, exposeHeadRoute: false }, async (request) => {
      const id = uuidOr404(request.params.id, 'User not found')
      return { success: true as const, data: await readUserHistory(deps, signedInHost(request), id, request.query) }
    })

    // The only calls that return passwords, which are never stored for a replay.
    app.post(
      '/host/users/:id/credentials',
      { schema: api.revealCredentials, config: { isNeverReplayed: true } },
      async (request) => {
        const id = uuidOr404(request.params.id, 'User not found')
        revealed.take(actorKeyOf(request))
        const data = await revealCredentials(deps, signedInHost(request), id, request.body?.purpose)
        return { success: true as const, data }
      },
    )

    app.post(
      '/host/users/bulk/credentials',
      { schema: api.revealCredentialsOfMany, config: { isNeverReplayed: true } },
      async (request) => {
        const { purpose } = request.body
        const ids = [...new Set(request.body.userIds.map((id) => id.toLowerCase()))]
        revealed.take(actorKeyOf(request), ids.length)
        const data = await revealCredentialsOfMany(deps, signedInHost(request), { ids, purpose })
        return { success: true as const, data }
      },
    )
  }
