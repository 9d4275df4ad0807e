import type { Socket } from 'node:net'
import { finished, Readable } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import { AppError } from '../errors.ts'
import { actorKeyOf } from '../features/auth/guards.ts'
import { LARGE_ANSWER_BYTES } from '../lib/large-answer.ts'

const CHECK_MS = 30_000
/**
 * Linux takes more only once a third of its buffer is free, which may be 4 MB: a slow reader has read for a minute or two
 * by then.
 */
const MAX_CHECKS = 10
/** A list of a large room has up to 14 MB, and each of its changes makes another. */
const MAX_UNREAD = { answers: 20, bytes: 32 * 1024 * 1024 }

/**
 * Bounds the memory for answers that nobody reads. An account may have few unread large answers, and few bytes of
 * them, over all its sessions, and a connection that reads nothing of one for five minutes is ended.
 */
export function limitUnreadAnswers(app: FastifyInstance): void {
  const unread = new Map<string, { answers: number; bytes: number }>()
  const unreadOf = (account: string) => unread.get(account) ?? { answers: 0, bytes: 0 }
  const count = (account: string, change: 1 | -1, bytes: number) => {
    const before = unreadOf(account)
    const now = { answers: before.answers + change, bytes: before.bytes + change * bytes }
    if (now.answers > 0) unread.set(account, now)
    else unread.delete(account)
  }
  const isTooMuch = ({ answers, bytes }: { answers: number; bytes: number }, more: number) =>
    answers >= MAX_UNREAD.answers || (answers > 0 && bytes + more > MAX_UNREAD.bytes)

  app.addHook('onSend', (request, reply, payload, done) => {
    if (isSmall(payload)) return done(null, payload)
    const account = request.session && actorKeyOf(request)
    const size = sizeOf(payload)
    // Actions are always answered, since they have limits of their own.
    if (account && request.method === 'GET' && isTooMuch(unreadOf(account), size)) {
      if (payload instanceof Readable) payload.destroy()
      reply.removeHeader('etag')
      return done(tooManyUnread())
    }
    const { socket } = request.raw
    const check = endUnlessTaken(socket)
    let isOut = false
    const handleOut = () => {
      if (isOut) return
      isOut = true
      clearInterval(timer)
      if (account) count(account, -1, size)
    }
    // The end of a connection says nothing to an answer that has waited for an earlier one on it.
    const timer = setInterval(() => (socket.destroyed ? handleOut() : check()), CHECK_MS).unref()
    if (account) count(account, 1, size)
    finished(reply.raw, handleOut)
    if (request.method !== 'GET' || !(typeof payload === 'string' || Buffer.isBuffer(payload)))
      return done(null, payload)
    const bytes = typeof payload === 'string' ? Buffer.from(payload) : payload // a file may be shared by many answers
    reply.header('content-length', bytes.length)
    done(null, Readable.from(piecesOf(bytes)))
  })
}

function isSmall(payload: unknown): boolean {
  if (payload === null || payload === undefined) return true
  return (typeof payload === 'string' || Buffer.isBuffer(payload)) && payload.length < LARGE_ANSWER_BYTES
}

/** Returns 0 for a file, of which a page is in memory at a time. */
function sizeOf(payload: unknown): number {
  if (Buffer.isBuffer(payload)) return payload.length
  return typeof payload === 'string' ? Buffer.byteLength(payload) : 0
}

/** Returns a check that ends the connection once nothing was sent for some checks. */
function endUnlessTaken(socket: Socket): () => void {
  let before = -1
  let checksWithoutProgress = 0
  return () => {
    const { bytesWritten } = socket
    checksWithoutProgress = bytesWritten === before ? checksWithoutProgress + 1 : 0
    before = bytesWritten
    if (checksWithoutProgress >= MAX_CHECKS) socket.destroy()
  }
}

/** A socket counts a piece once all of it is sent, so only small pieces show how far the reader has come. */
function* piecesOf(bytes: Buffer): Iterable<Buffer> {
  for (let at = 0; at < bytes.length; at += LARGE_ANSWER_BYTES) yield bytes.subarray(at, at + LARGE_ANSWER_BYTES)
}

function tooManyUnread(): AppError {
  return new AppError('busy', 'Too many answers have not been read yet. Please try again.', { retryAfterSeconds: 2 })
}
