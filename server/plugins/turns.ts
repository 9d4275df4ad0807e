import type { FastifyContextConfig, FastifyInstance, FastifyRequest } from 'fastify'
import { AppError } from '../errors.ts'
import { actorKeyOf } from '../features/auth/guards.ts'
import { KeyedSlots } from '../lib/keyed-slots.ts'

type Turns = 'database' | 'zoom' | 'files' | 'none'

declare module 'fastify' {
  interface FastifyContextConfig {
    /**
     * Names what the call waits for: the database by default, `zoom` if it acts there. `none` is for what is answered
     * from memory.
     */
    turns?: Turns | ((request: FastifyRequest) => Turns)
  }
}

/**
 * Calls of one account that run at a time. A call to Zoom may take seconds, as may the reading of a file: neither
 * delays the others, and each has as many places as a browser sends calls at once.
 */
const AT_ONCE = { database: 3, zoom: 6, files: 6 }
const MAX_WAITING = 500
/** Leaves time for the longest wait for the database, within the 15 s after which a console gives up. */
const LONGEST_WAIT_MS = 6_000

/**
 * Lets few calls of one host, master or phone run at a time, over all its sessions, because all accounts share
 * the connections to the database and the time of this process. Further calls wait only for calls of their own account.
 */
export function takeTurns(api: FastifyInstance): void {
  const slots = new KeyedSlots()
  const endTurn = new WeakMap<FastifyRequest, () => void>()
  api.addHook('onRoute', (route) => {
    const { handler } = route
    const turns = turnsOf(route.config)
    if (turns === 'none') return
    route.onSend = [
      (request, _reply, payload, done) => {
        endTurn.get(request)?.()
        done(null, payload)
      },
      ...[route.onSend ?? []].flat(),
    ]
    route.handler = function (request, reply) {
      const kind = typeof turns === 'function' ? turns(request) : turns
      if (kind === 'none' || !request.session) return handler.call(this, request, reply)
      const queuedAt = performance.now()
      const limits = { concurrency: AT_ONCE[kind], maxWaiting: MAX_WAITING, full: tooManyAtOnce }
      const { promise: made, resolve } = Promise.withResolvers<void>()
      // A file is made while it is read. Any other turn ends before the answer goes out: a slow reader holds up nobody.
      if (kind !== 'files') endTurn.set(request, resolve)
      const turn = slots.run(`${kind} ${actorKeyOf(request)}`, limits, async () => {
        const isTooLate = reply.raw.destroyed || performance.now() - queuedAt > LONGEST_WAIT_MS
        if (isTooLate) throw tooManyAtOnce()
        const result = handler.call(this, request, reply)
        await Promise.race([result, made])
        return { result } // wrapped, since a reply is only fulfilled once it has been read
      })
      return turn.then(({ result }) => result)
    }
  })
}

export function turnsOf({ turns, actsAtZoom }: FastifyContextConfig = {}) {
  return turns ?? (actsAtZoom ? 'zoom' : 'database')
}

function tooManyAtOnce(): AppError {
  return new AppError('busy', 'Too many requests are queued. Please try again.', { retryAfterSeconds: 2 })
}
