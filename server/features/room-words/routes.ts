import type { preHandlerAsyncHookHandler } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { HOST_ROLES } from '../../../shared/auth.ts'
import type { Deps } from '../../deps.ts'
import { noopBus } from '../../lib/bus.ts'
import { TokenBuckets } from '../../lib/token-bucket.ts'
import { uuidOr404 } from '../../lib/uuid.ts'
import { allow, roomShareOf, sessionIdOf, signedInHost, signedInPhone } from '../auth/guards.ts'
import * as api from './api.ts'
import { confirmWord } from './confirm-word.ts'
import { sendWord, takeWordBack } from './words.ts'

/** The limit of a host, and of all its assistants together: a word interrupts those who get it. */
const WORD_LIMIT = {
  name: 'words to a room',
  burst: 20,
  perSecond: 1 / 3,
  message: 'Too many words. Please wait a moment and try again.',
}

/** Leaves room for taps to and fro between the answers: a phone shows two words at most. */
const CONFIRM_LIMIT = {
  name: 'confirmed words',
  burst: 20,
  perSecond: 1,
  message: 'Too many requests. Please wait a moment and try again.',
}

export const wordRoutes =
  (deps: Deps): FastifyPluginAsyncZod =>
  async (app) => {
    allow(app, deps, ...HOST_ROLES)
    const words = new TokenBuckets(deps, WORD_LIMIT)
    const limit: preHandlerAsyncHookHandler = async (request) => words.take(roomShareOf(request))

    app.put('/host/word', { schema: api.sendWordToRoom, preHandler: limit }, async (request) => {
      const data = await sendWord(deps, signedInHost(request), null, request.body)
      return { success: true as const, message: 'Word sent', data }
    })

    app.put('/host/users/:id/word', { schema: api.sendWordToUser, preHandler: limit }, async (request) => {
      const id = uuidOr404(request.params.id, 'User not found')
      const data = await sendWord(deps, signedInHost(request), id, request.body)
      return { success: true as const, message: 'Word sent', data }
    })

    app.delete('/host/words/:id', { schema: api.takeWordBack, preHandler: limit }, async (request) => {
      await takeWordBack(deps, signedInHost(request), uuidOr404(request.params.id, 'This word no longer stands.'))
      return { success: true as const, message: 'Word taken back' }
    })
  }

export const phoneWordRoutes =
  (deps: Deps): FastifyPluginAsyncZod =>
  async (app) => {
    allow(app, deps, 'phone')
    const confirmations = new TokenBuckets({ now: deps.now, bus: noopBus }, CONFIRM_LIMIT)

    app.post(
      '/mobile/words/:id/confirm',
      {
        schema: api.confirmWord,
        config: { isNeverReplayed: true, turns: 'none' }, // a repeat has no second effect
        preHandler: async (request) => confirmations.take(sessionIdOf(request)),
      },
      async (request) => {
        const id = uuidOr404(request.params.id, 'This word no longer stands.')
        const words = await confirmWord(deps, signedInPhone(request), id, request.body?.answer ?? null)
        return { success: true as const, data: { words } }
      },
    )
  }
