import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Failure } from '../../shared/errors.ts'
import type { Config } from '../config.ts'
import { apiHeaders } from '../lib/api-headers.ts'
import { requestIdFrom } from '../lib/request-id.ts'
import { isDatabaseGone, openPostgres } from './client.ts'

// Importing node:http would load what it has for fetch and WebSocket too: 16 MB.
const { createServer } = process.getBuiltinModule('node:http')

const RETRY_MS = 500
const ALIVE = JSON.stringify({ success: true })
const NOT_READY = JSON.stringify({
  success: false,
  message: 'The database cannot be reached right now.',
  code: 'not_ready',
} satisfies Failure)

/**
 * Returns when PostgreSQL answers. Until then, and until the returned function is called right before the server listens,
 * a stand-in at the server's address answers 503, and 200 at /healthz.
 */
export async function waitForPostgres(config: Config, url: string): Promise<() => Promise<void>> {
  const failure = await connectFailure(url)
  if (failure === null) return async () => {}
  process.stderr.write(`The database at DATABASE_URL does not answer. Waiting for it: ${failure}\n`)
  const sentHeaders = { ...apiHeaders(config), 'content-type': 'application/json; charset=utf-8' }
  const idOf = requestIdFrom(config)
  const waiting = createServer((request, response) => {
    const headers = { ...sentHeaders, 'x-request-id': idOf(request) }
    if (request.url === '/healthz') response.writeHead(200, headers).end(ALIVE)
    else response.writeHead(503, { ...headers, 'retry-after': '2' }).end(NOT_READY)
  })
  waiting.listen(config.PORT, config.BIND)
  await once(waiting, 'listening')
  const exit = () => process.exit(0)
  process.once('disconnect', exit) // the program that started this one has ended
  while ((await connectFailure(url)) !== null) await delay(RETRY_MS)
  return async () => {
    process.off('disconnect', exit)
    const closed = once(waiting, 'close')
    waiting.close()
    waiting.closeAllConnections()
    await closed
  }
}

/** Returns why nothing answers, or null. A refusal is an answer, as is an unknown host name: a wrong setting. */
async function connectFailure(url: string): Promise<string | null> {
  const db = openPostgres(url)
  try {
    await sql`select 1`.execute(db)
    return null
  } catch (error) {
    if (!(error instanceof Error) || !isDatabaseGone(error)) return null
    const code = 'code' in error ? String(error.code) : ''
    return code === 'ENOTFOUND' ? null : error.message || code
  } finally {
    await db.destroy()
  }
}
