import type { FastifyBaseLogger } from 'fastify'
import type { Config } from '../config.ts'
import type { Clock } from '../lib/clock.ts'
import { SingleFlight } from '../lib/single-flight.ts'
import { readUser } from './calls.ts'
import type { ZoomClient } from './client.ts'
import { within } from './deadline.ts'
import type { ZoomOAuth } from './oauth.ts'

const ASK_MS = 3_000
/** Where Zoom did not answer, it is asked again after this. */
const AGAIN_MS = 60_000

interface Needs {
  config: Pick<Config, 'ZOOM_APP_ACCOUNT_ID'>
  oauth: ZoomOAuth
  client: ZoomClient
  now: Clock
  log: FastifyBaseLogger
}

/**
 * Finds the Zoom account that owns the app: the one that is set, or else the one that Zoom names when the app asks who it
 * is. Null where Zoom does not say: then no account counts as the app's own.
 */
export function createAppAccount({ config, oauth, client, now, log }: Needs): () => Promise<string | null> {
  const flights = new SingleFlight<string | null>()
  let found: string | null = null
  let askedAt = -Infinity

  async function ask(): Promise<string | null> {
    if (found || now() - askedAt < AGAIN_MS) return found
    askedAt = now()
    const deadline = within(ASK_MS)
    try {
      found = (await client.call(readUser, await oauth.appToken(deadline), deadline)).account_id
    } catch (err) {
      log.warn({ err }, 'Zoom does not say which account owns the app: set ZOOM_APP_ACCOUNT_ID')
    }
    return found
  }

  return async () => config.ZOOM_APP_ACCOUNT_ID ?? flights.run('app', ask)
}
