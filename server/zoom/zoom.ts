import type { FastifyBaseLogger } from 'fastify'
import type { Config } from '../config.ts'
import type { Db } from '../db/client.ts'
import type { Clock } from '../lib/clock.ts'
import type { Metrics } from '../lib/metrics.ts'
import type { Secrets } from '../lib/secrets.ts'
import { createAppAccount } from './app-account.ts'
import { CircuitBreaker } from './circuit-breaker.ts'
import { createClient, type RateGate, type Sleep, type ZoomCall } from './client.ts'
import { type Deadline, deadlineIn, withDeadline, ZOOM_TIMEOUT_MS } from './deadline.ts'
import { isFault } from './errors.ts'
import { countMeetingWrite } from './meeting-writes.ts'
import { createOAuth, type ZoomOAuth } from './oauth.ts'
import { RateQueue } from './rate-queue.ts'
import { createHostTokens, type HostTokens } from './tokens.ts'
import type { ZoomErrorLog } from './zoom-error-log.ts'
import type { ZoomTrace } from './zoom-trace.ts'

/** Calls throw ZoomError, or AppError if the host has no grant. */
export interface ZoomApi {
  oauth: ZoomOAuth
  tokens: HostTokens
  /** Returns the Zoom account that owns the app, whose meetings admit guests without a token of the host's; or null. */
  appAccount(): Promise<string | null>
  /** Skips rate queue and circuit breaker, for a token whose account is not known yet. */
  callWith<T>(accessToken: string, call: ZoomCall<T>, deadline?: Deadline): Promise<T>
  /** Calls as the host, and refreshes its token if Zoom refuses it. */
  callFor<T>(hostId: string, call: ZoomCall<T>, deadline?: Deadline): Promise<T>
}

interface Options {
  config: Config
  db: Db
  secrets: Secrets
  now: Clock
  log: FastifyBaseLogger
  zoomTrace: ZoomTrace
  zoomErrors: Pick<ZoomErrorLog, 'note'>
  metrics: Pick<Metrics, 'countZoomRequest'>
  sleep?: Sleep // between attempts
}

export function createZoom({ config, db, secrets, now, log, zoomTrace, zoomErrors, metrics, sleep }: Options): ZoomApi {
  const oauth = createOAuth({ config, log, now, metrics, errors: zoomErrors })
  const tokens = createHostTokens({ db, secrets, now, log, oauth })
  const client = createClient({
    baseUrl: config.ZOOM_API_URL,
    log,
    now,
    trace: zoomTrace,
    metrics,
    errors: zoomErrors,
    ...(sleep && { sleep }),
  })

  const breaker = new CircuitBreaker(now)
  const queue = new RateQueue()

  async function callOnce<T>(hostId: string, call: ZoomCall<T>, deadline: Deadline, gate: RateGate): Promise<T> {
    const token = await withDeadline(tokens.accessToken(hostId), deadline)
    try {
      const answer = await client.call(call, token, deadline, gate)
      if (call.isMeetingWrite) await countMeetingWrite(db, hostId, now(), false)
      return answer
    } catch (error) {
      if (call.isMeetingWrite && isFault(error, 'rate_limit') && error.details.isDaily)
        await countMeetingWrite(db, hostId, now(), true)
      if (!isFault(error, 'token')) throw error
      // If the grant is gone, this refresh fails. If a fresh token is refused too, that proves nothing about the grant.
      return client.call(call, await withDeadline(tokens.accessToken(hostId, token), deadline), deadline, gate)
    }
  }

  return {
    oauth,
    tokens,
    appAccount: createAppAccount({ config, oauth, client, now, log }),
    callWith: (accessToken, call, deadline = deadlineIn(ZOOM_TIMEOUT_MS)) => client.call(call, accessToken, deadline),

    async callFor(hostId, call, deadline = deadlineIn(ZOOM_TIMEOUT_MS)) {
      // Zoom counts an account's calls over all its users, but meeting changes per user.
      const account = await withDeadline(tokens.accountOf(hostId), deadline)
      const circuit = call.isMeetingWrite ? `${hostId} meetings` : account.accountId
      const queued = { ...account, label: call.label ?? 'Light', hostId }
      const gate: RateGate = {
        async acquire() {
          await queue.acquire(queued, deadline)
          breaker.assertClosed(circuit)
        },
        pause: (ms) => queue.pause(queued, ms),
      }
      return breaker.run(circuit, () => callOnce(hostId, call, deadline, gate))
    },
  }
}
