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
  await running.firstJobs
  return {
    ...running,
    truncate: () => emptied(db),
    async close() {
      await running.close()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

/**
 * Deletes row by row, far quicker than to truncate tables that hold a few. Owners go first: whoever is writing for one
 * is waited for, and whoever begins to is refused. Again where the database ended one of two that waited on each other.
 */
async function emptied(db: Db): Promise<void> {
  try {
    await sql`do $$
      declare name text;
      begin
        set local session_replication_role = replica; -- neither foreign keys nor the audit's own guard
        delete from masters;
        delete from hosts;
        for name in
          select tablename from pg_tables where schemaname = 'public' and tablename <> 'migrations'
        loop
          execute format('delete from %I', name);
        end loop;
        perform setval('hosts_numerical_id_seq', 1, false);
      end $$`.execute(db)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === DEADLOCK)) throw error
    await emptied(db)
  }
}
