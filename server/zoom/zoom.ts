import type { FastifyBaseLogger } from 'fastify'
import type { Config } from '../config.ts'
import type { Db } from '../db/client.ts'
import type { Clock } from '../lib/clock.ts'
import type { Secrets } from '../lib/secrets.ts'
import { createAppAccount } from './app-account.ts'
import { Breaker } from './circuit-breaker.ts'
import { createClient, type Gate, type Wait, type ZoomCall } from './client.ts'
import { type Deadline, inTime, within, ZOOM_MS } from './deadline.ts'
import { isFault } from './errors.ts'
import { countMeetingWrite } from './meeting-writes.ts'
import { createOAuth, type ZoomOAuth } from './oauth.ts'
import { CallQueue } from './rate-queue.ts'
import { createHostTokens, type HostTokens } from './tokens.ts'

/** Zoom, as the rest of the server speaks to it. Its calls throw ZoomError, or AppError where the host has no grant. */
export interface Zoom {
  oauth: ZoomOAuth
  tokens: HostTokens
  /** The Zoom account that owns the app, into whose meetings guests need no token of the host's; null where unknown. */
  appAccount(): Promise<string | null>
  /** Calls as whoever gave this token, past the breaker; for when whose account it is has yet to be found out. */
  callWith<T>(accessToken: string, call: ZoomCall<T>, deadline?: Deadline): Promise<T>
  /** Calls as the host, renewing its token where Zoom does not take it. */
  callFor<T>(hostId: string, call: ZoomCall<T>, deadline?: Deadline): Promise<T>
}

interface Needs {
  config: Config
  db: Db
  secrets: Secrets
  now: Clock
  log: FastifyBaseLogger
  wait?: Wait // between tries; a test need not
}

export function createZoom({ config, db, secrets, now, log, wait }: Needs): Zoom {
  const oauth = createOAuth({ config, log, now })
  const tokens = createHostTokens({ db, secrets, now, log, oauth })
  const client = createClient({ baseUrl: config.ZOOM_API_URL, log, now, ...(wait && { wait }) })

  const breaker = new Breaker(now)
  const queue = new CallQueue()

  async function callOnce<T>(hostId: string, call: ZoomCall<T>, deadline: Deadline, gate: Gate): Promise<T> {
    const token = await inTime(tokens.of(hostId), deadline)
    try {
      const answer = await client.call(call, token, deadline, gate)
      if (call.isMeetingWrite) await countMeetingWrite(db, hostId, now(), false)
      return answer
    } catch (error) {
      if (call.isMeetingWrite && isFault(error, 'rate_limit') && error.details.isDaily)
        await countMeetingWrite(db, hostId, now(), true)
      if (!isFault(error, 'token')) throw error
      // If the grant is gone, this refresh says so. A fresh token that is refused too says nothing of the grant.
      return client.call(call, await inTime(tokens.of(hostId, token), deadline), deadline, gate)
    }
  }

  return {
    oauth,
    tokens,
    appAccount: createAppAccount({ config, oauth, client, now, log }),
    callWith: (accessToken, call, deadline = within(ZOOM_MS)) => client.call(call, accessToken, deadline),

    async callFor(hostId, call, deadline = within(ZOOM_MS)) {
      // Zoom counts an account's calls over all its users, but the changes of meetings by user.
      const account = await inTime(tokens.accountOf(hostId), deadline)
      const circuit = call.isMeetingWrite ? `${hostId} meetings` : account.accountId
      const caller = { ...account, label: call.label ?? 'Light', hostId }
      const gate: Gate = {
        async enter() {
          await queue.enter(caller, deadline)
          breaker.check(circuit)
        },
        pause: (ms) => queue.pause(caller, ms),
      }
      return breaker.through(circuit, () => callOnce(hostId, call, deadline, gate))
    },
  }
}
