import { setTimeout as wait } from 'node:timers/promises'
import type { FastifyInstance, FastifyReply, onSendAsyncHookHandler, preHandlerHookHandler } from 'fastify'
import { sql } from 'kysely'
import { backoff } from '../../shared/backoff.ts'
import { DAY_MS, MINUTE_MS } from '../../shared/dates.ts'
import { currentCall, type FirstCall } from '../db/idempotent-call.ts'
import type { Deps } from '../deps.ts'
import { AppError } from '../errors.ts'
import { clearingJob, deleteOld } from '../jobs/job.ts'
import { JOB_INTERVALS } from '../jobs/retention.ts'
import { randomToken } from '../lib/secrets.ts'

/** An answer is replayed for this long. */
const RETENTION_MS = DAY_MS
/** The limit of one host, master or phone. The oldest answer is dropped: its call is too old to be repeated. */
const MAX_KEPT_ANSWERS = 1_000
/** A first call without an effect after this time was interrupted; if it is still running, it fails. */
const INTERRUPTED_MS = MINUTE_MS
const MAX_WAIT_MS = 10_000
/** The intervals while the first call runs at another server. */
const POLLS = { first: 50, longest: 1_000 }

declare module 'fastify' {
  interface FastifyRequest {
    firstCall: FirstCall | null
  }
  interface FastifyContextConfig {
    /** The call changes nothing, whatever its method, or answers with a token: it is never replayed. */
    isNeverReplayed?: boolean
    /** The answer is a secret, which is not kept: a repeat gets a `conflict` as after a lost answer. */
    keepsNoAnswer?: boolean
    /** The effect happens at Zoom, before any write to our database. */
    actsAtZoom?: boolean
  }
}

/**
 * Runs after the limits, so that refused calls write nothing. A call that is refused without an effect keeps no key. A
 * POST, PUT or DELETE that repeats an Idempotency-Key within a day gets the first answer and has no second effect.
 * `has_effect` is set in the transaction of the effect itself, so that a call whose answer was lost is never executed
 * again: its repeat gets a `conflict`.
 */
export function replayRepeatedCalls(api: FastifyInstance, deps: Deps): void {
  const running = new RunningCalls()
  api.decorateRequest('firstCall', null)
  api.addHook('onRoute', (route) => {
    const changesThings = [route.method].flat().some((method) => method !== 'GET' && method !== 'HEAD')
    if (!changesThings || route.config?.background || route.config?.isNeverReplayed) return
    route.preHandler = [...[route.preHandler ?? []].flat(), executeOnce(deps, running)]
    route.onSend = [storeAnswer(deps, running), ...[route.onSend ?? []].flat()]
  })
}

/** The first calls that run at this server. Their repeats wait for the end. */
class RunningCalls {
  readonly #calls = new Map<string, PromiseWithResolvers<void>>()

  begin(call: FirstCall): void {
    this.#calls.set(idOf(call), Promise.withResolvers())
  }

  /** Returns undefined if the call does not run here, or no longer. */
  endOf(call: FirstCall): Promise<void> | undefined {
    return this.#calls.get(idOf(call))?.promise
  }

  end(call: FirstCall): void {
    this.#calls.get(idOf(call))?.resolve()
    this.#calls.delete(idOf(call))
  }
}

const idOf = ({ scope, key }: FirstCall) => `${scope} ${key}`

function executeOnce(deps: Deps, running: RunningCalls): preHandlerHookHandler {
  return (request, reply, done) => {
    const key = request.headers['idempotency-key']
    const { session, method } = request
    const { url, config } = request.routeOptions
    if (typeof key !== 'string' || !session) return done()
    if (key === '' || key.length > 200)
      return done(new AppError('malformed', 'An Idempotency-Key has 1 to 200 characters.'))

    const { actor_id, role } = session
    const call = { scope: `${actor_id} ${role} ${method} ${url ?? ''}`, key, claim: randomToken(9), isAnswered: false }
    const text = JSON.stringify([request.params, request.query, request.body ?? null])
    const body_hash = deps.secrets.sign('idempotent-bodies', text) // bodies hold passwords
    const begin = async () => {
      if (!(await claim(deps, call, body_hash, config.actsAtZoom ?? false)))
        return replay(deps, running, reply, call, body_hash)
      request.firstCall = call
      running.begin(call)
      reply.raw.once('close', () => running.end(call)) // also for a call that never reaches its answer
      currentCall.run(call, done) // a hook that returns a promise would lose it
    }
    begin().catch(done)
  }
}

function storeAnswer(deps: Deps, running: RunningCalls): onSendAsyncHookHandler {
  return async (request, reply, payload) => {
    const call = request.firstCall
    if (!call) return
    request.firstCall = null
    call.isAnswered = true
    try {
      const answer = typeof payload === 'string' ? payload : null
      if ((reply.statusCode >= 400 || answer === null) && (await releaseUnlessDone(deps, call))) return
      const isKept = isFinal(reply.statusCode) && !request.routeOptions.config.keepsNoAnswer
      await (answer !== null && isKept
        ? store(deps, call, reply.statusCode, answer)
        : store(deps, call, ANSWER_LOST, null))
    } catch (err) {
      deps.log.error({ err }, 'idempotency.store_answer_failed')
    } finally {
      running.end(call)
    }
  }
}

/** True if a retry now would get the same answer. */
function isFinal(status: number): boolean {
  return status < 500 && status !== 401 && status !== 429
}

async function claim({ db, now }: Deps, call: FirstCall, body_hash: string, has_effect: boolean): Promise<boolean> {
  const { scope, key, claim } = call
  const first = { body_hash, claim, has_effect, created_at: new Date(now()) }
  const isFree = await db
    .insertInto('idempotency_keys')
    .values({ scope, key, ...first })
    .onConflict((conflict) => conflict.doNothing())
    .returning('key')
    .executeTakeFirst()
  if (isFree) return true
  const isReclaimed = await db
    .updateTable('idempotency_keys')
    .set({ ...first, status: null, response_ciphertext: null })
    .where('scope', '=', scope)
    .where('key', '=', key)
    .where((eb) =>
      eb.or([
        eb('created_at', '<', new Date(now() - RETENTION_MS)),
        eb.and([
          eb('status', 'is', null),
          eb('has_effect', '=', false),
          eb('created_at', '<', new Date(now() - INTERRUPTED_MS)),
        ]),
      ]),
    )
    .returning('key')
    .executeTakeFirst()
  return isReclaimed !== undefined
}

async function replay(
  deps: Deps,
  running: RunningCalls,
  reply: FastifyReply,
  call: FirstCall,
  body_hash: string,
): Promise<void> {
  const deadline = performance.now() + MAX_WAIT_MS
  let hasEffect = false
  let polls = 0
  while (performance.now() < deadline) {
    const end = running.endOf(call)
    const first = await find(deps, call)
    if (!first) throw new AppError('conflict', 'The first call with this Idempotency-Key failed. Please try again.')
    if (first.body_hash !== body_hash)
      throw new AppError('idempotency_key_reused', 'This Idempotency-Key was used for another call.')
    const isOld = first.created_at.getTime() < deps.now() - INTERRUPTED_MS
    if (first.status === ANSWER_LOST || (first.has_effect && first.status === null && isOld)) throw outcomeUnknown()
    if (first.status !== null && first.response_ciphertext !== null) {
      const answer = deps.secrets.decrypt(first.response_ciphertext, answerAad(call))
      reply.code(first.status).type('application/json; charset=utf-8').send(answer)
      return
    }
    hasEffect = first.has_effect
    if (end) await Promise.race([end, wait(deadline - performance.now(), null, { ref: false })])
    else await wait(backoff(++polls, POLLS))
  }
  if (hasEffect) throw outcomeUnknown()
  throw new AppError('conflict', 'The first call with this Idempotency-Key is still running.')
}

function outcomeUnknown(): AppError {
  return new AppError(
    'conflict',
    'The first call with this Idempotency-Key may have succeeded, but its answer was lost. Please check what it changed.',
  )
}

function find({ db }: Deps, { scope, key }: FirstCall) {
  return db
    .selectFrom('idempotency_keys')
    .selectAll()
    .where('scope', '=', scope)
    .where('key', '=', key)
    .executeTakeFirst()
}

async function store({ db, secrets }: Deps, call: FirstCall, status: number, answer: string | null): Promise<void> {
  const { scope, key, claim } = call
  const response_ciphertext = answer === null ? null : secrets.encrypt(answer, answerAad(call))
  await sql`
    with superseded as (
      delete from idempotency_keys where ctid in (
        select ctid from idempotency_keys
        where actor = split_part(${scope}, ' ', 1) and status is not null
        order by created_at desc offset ${MAX_KEPT_ANSWERS - 1}
      )
    )
    update idempotency_keys set status = ${status}, response_ciphertext = ${response_ciphertext}
    where scope = ${scope} and key = ${key} and claim = ${claim}`.execute(db)
}

/** Releases the key of a failed call, so that it can be retried, unless it had its effect first. */
async function releaseUnlessDone({ db }: Deps, { scope, key, claim }: FirstCall): Promise<boolean> {
  const released = await db
    .deleteFrom('idempotency_keys')
    .where((eb) => eb.and({ scope, key, claim, has_effect: false }))
    .executeTakeFirst()
  return released.numDeletedRows > 0n
}

/** The status of a call whose answer was lost. */
const ANSWER_LOST = 0

const answerAad = ({ scope, key }: FirstCall) => `idempotency_keys.answer:${scope}:${key}`

export const clearIdempotencyKeys = clearingJob('clear idempotency keys', JOB_INTERVALS.hour, ({ now }, tx) =>
  deleteOld(tx, 'idempotency_keys', sql`created_at < ${new Date(now() - RETENTION_MS)}`),
)
