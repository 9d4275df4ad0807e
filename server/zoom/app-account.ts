import type { FastifyBaseLogger } from 'fastify'
import type { Config } from '../config.ts'
import type { Clock } from '../lib/clock.ts'
import { SingleFlight } from '../lib/single-flight.ts'
import { readUser } from './calls.ts'
import type { ZoomClient } from './client.ts'
import { deadlineIn } from './deadline.ts'
import type { ZoomOAuth } from './oauth.ts'

const TIMEOUT_MS = 3_000
const RETRY_MS = 60_000

interface Options {
  config: Pick<Config, 'ZOOM_APP_ACCOUNT_ID'>
  oauth: ZoomOAuth
  client: ZoomClient
  now: Clock
  log: FastifyBaseLogger
}

/** Returns the Zoom account that owns the app: from the setting, else from Zoom; null if neither is known. */
export function createAppAccount({ config, oauth, client, now, log }: Options): () => Promise<string | null> {
  const flights = new SingleFlight<string | null>()
  let accountId: string | null = null
  let triedAt = -Infinity

  async function fetchAccount(): Promise<string | null> {
    if (accountId || now() - triedAt < RETRY_MS) return accountId
    triedAt = now()
    const deadline = deadlineIn(TIMEOUT_MS)
    try {
      accountId = (await client.call(readUser, await oauth.appToken(deadline), deadline)).account_id
    } catch (err) {
      log.warn({ err, hint: 'set ZOOM_APP_ACCOUNT_ID' }, 'zoom.app_account_unknown')
    }
    return accountId
  }

  return async () => config.ZOOM_APP_ACCOUNT_ID ?? flights.run('app', fetchAccount)
}
