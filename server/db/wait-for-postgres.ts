import { once } from 'node:events'
import { createServer } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Failure } from '../../shared/errors.ts'
import type { Config } from '../config.ts'
import { apiHeaders } from '../lib/api-headers.ts'
import { isDatabaseGone, openPostgres } from './client.ts'

const AGAIN_MS = 500
const ALIVE = JSON.stringify({ success: true })
const NOT_READY = JSON.stringify({
  success: false,
  message: 'The database cannot be reached right now.',
  code: 'not_ready',
} satisfies Failure)

/**
 * Returns when PostgreSQL answers. Where it is not there yet, everyone who asks meanwhile is told so at the server's own
 * address: the process lives, and is not ready. That goes on until `close`, right before the server itself listens.
 */
export async function waitForPostgres(config: Config, url: string): Promise<() => Promise<void>> {
  const silence = await silenceOf(url)
  if (silence === null) return async () => {}
  process.stderr.write(`DATABASE_URL leads to no database that answers, so it is waited for: ${silence}\n`)
  const headers = { ...apiHeaders(config), 'content-type': 'application/json; charset=utf-8' }
  const waiting = createServer((request, response) => {
    if (request.url === '/healthz') response.writeHead(200, headers).end(ALIVE)
    else response.writeHead(503, { ...headers, 'retry-after': '2' }).end(NOT_READY)
  })
  waiting.listen(config.PORT, config.BIND)
  await once(waiting, 'listening')
  const leave = () => process.exit(0)
  process.once('disconnect', leave) // started by another program that has ended
  while ((await silenceOf(url)) !== null) await delay(AGAIN_MS)
  return async () => {
    process.off('disconnect', leave)
    const closed = once(waiting, 'close')
    waiting.close()
    waiting.closeAllConnections()
    await closed
  }
}

/** Why nothing answers; null where something does. To be refused is an answer, and a name of nobody is a bad setting. */
async function silenceOf(url: string): Promise<string | null> {
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
