import type { FastifyInstance } from 'fastify'
import { AppError } from '../errors.ts'
import { ofActor } from '../features/auth/guards.ts'

const UNREAD_MS = 30_000
const MAX_UNREAD = 20
/** Smaller answers fit into the system's own buffer of a connection. */
const LARGE = 16_384

/**
 * Ends connections that have taken nothing of their answer for 30 s: it stays in memory until then. The timer of a
 * socket starts anew whenever some of it gets out, so that slow readers go on.
 */
export function endUnreadAnswers({ server }: FastifyInstance, unreadMs = UNREAD_MS): void {
  server.on('request', (_request, response) => {
    response.setTimeout(unreadMs, () => {
      const { socket } = response
      // Otherwise the answer is still being made, or a stream has nothing to say.
      if (socket && socket.writableLength > 0) socket.destroy()
    })
  })
}

/** Refuses calls of an account that has not read many large answers, over all its sessions. */
export function limitUnreadAnswers(api: FastifyInstance): void {
  const unread = new Map<string, number>()
  const count = (account: string, change: number) => {
    const now = (unread.get(account) ?? 0) + change
    if (now > 0) unread.set(account, now)
    else unread.delete(account)
  }
  api.addHook('preHandler', (request, _reply, done) => {
    const isFull = request.session && (unread.get(ofActor(request)) ?? 0) >= MAX_UNREAD
    if (!isFull) return done()
    done(new AppError('busy', 'Too many answers have not been read yet. Please try again.', { retryAfterSeconds: 2 }))
  })
  api.addHook('onSend', (request, { raw }, payload, done) => {
    const isSmall = payload === null || payload === undefined || (typeof payload === 'string' && payload.length < LARGE)
    if (request.session && !isSmall) {
      const account = ofActor(request)
      let isOut = false
      const onOut = () => {
        if (!isOut) count(account, -1)
        isOut = true
      }
      count(account, 1)
      raw.once('finish', onOut).once('close', onOut)
    }
    done(null, payload)
  })
}
