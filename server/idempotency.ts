import { setTimeout as wait } from 'node:timers/promises'
import type {
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  onSendAsyncHookHandler,
  preHandlerAsyncHookHandler,
} from 'fastify'
import type { Deps } from './deps.ts'
import { AppError } from './errors.ts'
import { sha256 } from './secrets.ts'

/** An answer is given again for this long. */
export const KEPT_MS = 24 * 3_600_000
/** A first call that has not answered by now was cut off with its process. */
const CUT_OFF_MS = 60_000
const WAIT_MS = 10_000
const LOOK_MS = 50

declare module 'fastify' {
  interface FastifyRequest {
    /** The place of this call's answer, where it is the first of its key. */
    firstOfKey: { scope: string; key: string } | null
  }
}

/**
 * A POST, PUT or DELETE that repeats an Idempotency-Key within a day gets the first answer and has no second effect.
 * Sign-ins and background calls are left out: the ones give a new token each time, the others change nothing twice.
 */
export function answerRepeats(api: FastifyInstance, deps: Deps): void {
  api.decorateRequest('firstOfKey', null)
  api.addHook('onRoute', (route) => {
    const changesThings = [route.method].flat().some((method) => method !== 'GET' && method !== 'HEAD')
    if (!changesThings || route.config?.background) return // polls and heartbeats do not pay for this
    route.preHandler = [answerOnce(deps), ...[route.preHandler ?? []].flat()]
    route.onSend = [keepFirst(deps), ...[route.onSend ?? []].flat()]
  })
}

function answerOnce(deps: Deps): preHandlerAsyncHookHandler {
  return async (request, reply) => {
    const key = request.headers['idempotency-key']
    const { session, method } = request
    const { url } = request.routeOptions
    if (typeof key !== 'string' || !session) return
    if (key === '' || key.length > 200) throw new AppError('malformed', 'An Idempotency-Key has 1 to 200 characters.')

    const actor = session.master_id ?? session.room_user_id ?? session.host_id ?? ''
    const place = { scope: `${actor} ${method} ${url ?? ''}`, key }
    const body_hash = sha256(JSON.stringify([request.params, request.query, request.body ?? null]))
    if (await claim(deps, place, body_hash)) {
      request.firstOfKey = place
      return
    }
    return repeat(deps, reply, place, body_hash)
  }
}

function keepFirst(deps: Deps): onSendAsyncHookHandler {
  return async (request, reply, payload) => {
    const place = request.firstOfKey
    if (!place) return
    request.firstOfKey = null
    if (isFinal(reply.statusCode) && typeof payload === 'string') await keep(deps, place, reply.statusCode, payload)
    else await forget(deps, place)
  }
}

/** An answer that would be the same if the call were tried again now. */
function isFinal(status: number): boolean {
  return status < 500 && status !== 401 && status !== 429
}

async function claim({ db, now }: Deps, { scope, key }: Place, body_hash: string): Promise<boolean> {
  const at = new Date(now())
  const isFree = await db
    .insertInto('idempotency_keys')
    .values({ scope, key, body_hash, created_at: at })
    .onConflict((conflict) => conflict.doNothing())
    .returning('key')
    .executeTakeFirst()
  if (isFree) return true
  const isFreeAgain = await db
    .updateTable('idempotency_keys')
    .set({ body_hash, created_at: at, status: null, answer_ciphertext: null })
    .where('scope', '=', scope)
    .where('key', '=', key)
    .where((eb) =>
      eb.or([
        eb('created_at', '<', new Date(now() - KEPT_MS)),
        eb.and([eb('status', 'is', null), eb('created_at', '<', new Date(now() - CUT_OFF_MS))]),
      ]),
    )
    .returning('key')
    .executeTakeFirst()
  return isFreeAgain !== undefined
}

type Place = NonNullable<FastifyRequest['firstOfKey']>

async function repeat(deps: Deps, reply: FastifyReply, place: Place, body_hash: string): Promise<FastifyReply> {
  const deadline = performance.now() + WAIT_MS
  while (performance.now() < deadline) {
    const first = await find(deps, place)
    if (!first) throw new AppError('conflict', 'The first call with this Idempotency-Key failed. Please try again.')
    if (first.body_hash !== body_hash)
      throw new AppError('idempotency_key_reused', 'This Idempotency-Key was used for another call.')
    if (first.status !== null && first.answer_ciphertext !== null) {
      const answer = deps.secrets.decrypt(first.answer_ciphertext, placeOf(place))
      return reply.code(first.status).type('application/json; charset=utf-8').send(answer)
    }
    await wait(LOOK_MS)
  }
  throw new AppError('conflict', 'The first call with this Idempotency-Key is still under way.')
}

function find({ db }: Deps, { scope, key }: Place) {
  return db
    .selectFrom('idempotency_keys')
    .selectAll()
    .where('scope', '=', scope)
    .where('key', '=', key)
    .executeTakeFirst()
}

async function keep({ db, secrets }: Deps, place: Place, status: number, answer: string): Promise<void> {
  await db
    .updateTable('idempotency_keys')
    .set({ status, answer_ciphertext: secrets.encrypt(answer, placeOf(place)) })
    .where('scope', '=', place.scope)
    .where('key', '=', place.key)
    .execute()
}

async function forget({ db }: Deps, { scope, key }: Place): Promise<void> {
  await db.deleteFrom('idempotency_keys').where('scope', '=', scope).where('key', '=', key).execute()
}

/** An answer may hold what nobody else may read, so it is stored sealed. */
const placeOf = ({ scope, key }: Place) => `idempotency_keys.answer:${scope}:${key}`
