import type { preHandlerAsyncHookHandler } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { HOST_ROLES } from '../../../shared/auth.ts'
import type { Deps } from '../../deps.ts'
import { TokenBuckets } from '../../lib/token-bucket.ts'
import { allow, roomShareOf, signedInHost } from '../auth/guards.ts'
import * as api from './live-control-api.ts'
import { muteAll } from './mute-all.ts'
import { letNextSpeak } from './next-speaker.ts'
import { setQueueOrder } from './queue-order.ts'
import { setTurnLimit } from './turns.ts'
import { undoMuteAll } from './undo-mute-all.ts'

/** The limit of a host, and of all its assistants together: each call affects up to 10,000 users. Permits to press back and forth. */
const ROOM_LIMIT = {
  name: 'acts on a room',
  burst: 60,
  perSecond: 1,
  message: 'Too many requests. Please wait a moment and try again.',
}

export const liveControlRoutes =
  (deps: Deps): FastifyPluginAsyncZod =>
  async (app) => {
    allow(app, deps, ...HOST_ROLES)
    const actions = new TokenBuckets(deps, ROOM_LIMIT)
    const limit: preHandlerAsyncHookHandler = async (request) => actions.take(roomShareOf(request))

    app.post('/host/trigger-bulk-mute/:action', { schema: api.muteAll, preHandler: limit }, async (request) => {
      const active = request.params.action === 'mute'
      const except = active ? request.body?.except : undefined
      const { lock, expect } = request.body ?? {}
      const asked = { active, except, expect, lock: active && deps.config.HOST_SEAT ? lock : undefined }
      const data = await muteAll(deps, signedInHost(request), asked)
      return { success: true as const, message: active ? 'All users muted' : 'All users unmuted', data }
    })

    app.post('/host/undo-mute-all', { schema: api.undoMuteAll, preHandler: limit }, async (request) => {
      const data = await undoMuteAll(deps, signedInHost(request), request.body)
      return { success: true as const, message: 'Mute All undone', data }
    })

    app.post('/host/next-speaker', { schema: api.letNextSpeak }, async (request) => {
      const data = await letNextSpeak(deps, signedInHost(request), request.body?.expect)
      return { success: true as const, message: 'User unmuted', data }
    })

    app.put('/host/turn-limit', { schema: api.setTurnLimit, preHandler: limit }, async (request) => {
      await setTurnLimit(deps, signedInHost(request), request.body)
      return { success: true as const, message: 'Turn limit saved', data: { turn_limit: request.body } }
    })

    app.put('/host/queue-order', { schema: api.setQueueOrder, preHandler: limit }, async (request) => {
      await setQueueOrder(deps, signedInHost(request), request.body.queue_order)
      return { success: true as const, message: 'Order saved', data: request.body }
    })

    app.post(
      '/host/cleanup-stale-users',
      { schema: api.cleanUpStaleUsers, config: { rateLimit: { max: 120 } } },
      async (request) => {
        const { host_id } = signedInHost(request)
        const room = await deps.rooms.get(host_id)
        return { success: true as const, cleanedUsers: await room.sweep() }
      },
    )
  }
