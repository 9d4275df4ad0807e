import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { pino } from 'pino'
import type { Clock } from '../server/clock.ts'
import { type Config, readConfig } from '../server/config.ts'
import type { Db } from '../server/db.ts'
import type { RoomTimes } from '../server/room-events/room-times.ts'
import { type Running, startServer } from '../server/start.ts'
import { freshDatabase } from './database.ts'

const DEADLOCK = '40P01' // PostgreSQL's code

export interface TestServer extends Running {
  /** Empties every table, so that each test begins anew. */
  truncate(): Promise<void>
}

/** The real server, short of listening, on a real database of its own. Zoom's addresses lead nowhere. */
export async function startTestApp({
  now = Date.now,
  config = {},
  roomTimes = {},
}: {
  now?: Clock
  config?: Partial<Config>
  roomTimes?: Partial<RoomTimes>
} = {}): Promise<TestServer> {
  const dataDir = await mkdtemp(join(tmpdir(), 'parley-data-'))
  const settings = readConfig({
    DATA_DIR: dataDir,
    SECRET_KEY: 'a secret key for tests alone, 32 bytes or more',
    ZOOM_CLIENT_ID: 'client',
    ZOOM_CLIENT_SECRET: 'secret',
    ZOOM_WEBHOOK_SECRET: 'webhook-secret',
    ZOOM_OAUTH_URL: 'http://127.0.0.1:1',
    ZOOM_API_URL: 'http://127.0.0.1:1/v2',
  })
  const db = await freshDatabase()
  const running = await startServer({ ...settings, ...config }, db, pino({ level: 'silent' }), now, roomTimes)
  return {
    ...running,
    async truncate() {
      await emptied(db)
      await db.transaction().execute(async (tx) => {
        await sql`select set_config('parley.audit_kept_from', 'infinity', true)`.execute(tx)
        await sql`truncate audit, idempotency_keys, nodes, zoom_events, recording_marks`.execute(tx)
      })
    },
    async close() {
      await running.close()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

/** Again where the server was at work and the database ended one of the two for their deadlock. */
async function emptied(db: Db): Promise<void> {
  try {
    await sql`truncate masters, hosts restart identity cascade`.execute(db)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === DEADLOCK)) throw error
    await emptied(db)
  }
}
