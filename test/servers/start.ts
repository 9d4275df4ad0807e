import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Logger, pino } from 'pino'
import { type Config, readConfig } from '../../server/config.ts'
import type { Db } from '../../server/db/client.ts'
import type { RoomTimes } from '../../server/features/live-room/room-times.ts'
import type { Clock } from '../../server/lib/clock.ts'
import { type RunningServer, startServer } from '../../server/start.ts'
import { deleteAllRows, freshDatabase } from './database.ts'

export interface TestServer extends RunningServer {
  truncate(): Promise<void>
}

/** Starts the real server on a separate database, without listening. Zoom's addresses lead nowhere. */
export async function startTestApp({
  now = Date.now,
  config = {},
  roomTimes = {},
  log = pino({ level: 'silent' }),
  sharedDb,
}: {
  now?: Clock
  config?: Partial<Config>
  roomTimes?: Partial<RoomTimes>
  log?: Logger
  /** A database that several servers share; it is left open. */
  sharedDb?: Db
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
  const db = sharedDb ?? (await freshDatabase())
  const running = await startServer({ ...settings, ...config }, db, log, now, roomTimes)
  await running.firstJobs
  return {
    ...running,
    truncate: () => deleteAllRows(db),
    async close() {
      await running.close()
      if (!sharedDb) await db.destroy()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}
