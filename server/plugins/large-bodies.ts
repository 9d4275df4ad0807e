import type { FastifyInstance } from 'fastify'
import { AppError } from '../errors.ts'
import { actorKeyOf } from '../features/auth/guards.ts'
import { onBodyEnd } from '../lib/on-body-end.ts'

/** Bytes. Only imports with long names, and logos, have more; of a phone, only a status that acknowledges much. */
const LARGE = { console: 65_536, phone: 4_096 }
const AT_ONCE = 6

/** Limits the large bodies that one account sends at a time: each is in memory until its last byte has come. */
export function limitLargeBodies(api: FastifyInstance): void {
  const sending = new Map<string, number>()
  api.addHook('preParsing', async (request, reply) => {
    const { 'content-length': length, 'transfer-encoding': isChunked } = request.headers
    const bytes = isChunked ? Number.POSITIVE_INFINITY : Number(length ?? 0)
    if (!request.session || bytes <= LARGE[request.session.role === 'phone' ? 'phone' : 'console']) return
    const account = actorKeyOf(request)
    const before = sending.get(account) ?? 0
    if (before >= AT_ONCE) {
      reply.header('connection', 'close')
      throw new AppError('busy', 'Too many large requests are being sent. Please try again.', { retryAfterSeconds: 2 })
    }
    sending.set(account, before + 1)
    onBodyEnd(request, reply, () => {
      const left = (sending.get(account) ?? 1) - 1
      if (left > 0) sending.set(account, left)
      else sending.delete(account)
    })
  })
}
