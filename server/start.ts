import { mkdir } from 'node:fs/promises'
import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import { buildApp } from './app.ts'
import { Sessions } from './auth/sessions.ts'
import type { Clock } from './clock.ts'
import type { Config } from './config.ts'
import type { Db } from './db.ts'
import type { Deps } from './deps.ts'
import { EventStreams } from './room-events/event-stream.ts'
import { LiveRooms } from './room-events/live-rooms.ts'
import { StreamTickets } from './room-events/stream-tickets.ts'
import { saveLastSeen } from './room-users/last-seen.ts'
import { secretKeyIn, secretsFrom } from './secrets.ts'
import { createZoom } from './zoom/zoom.ts'

export interface Running {
  app: FastifyInstance
  deps: Deps
  close(): Promise<void>
}

/** Puts the parts together around a migrated database. `close` ends streams and requests first, the database last. */
export async function startServer(
  config: Config,
  db: Db,
  log: FastifyBaseLogger,
  now: Clock = Date.now,
): Promise<Running> {
  await mkdir(config.DATA_DIR, { recursive: true })
  const secrets = secretsFrom(config.SECRET_KEY ?? (await secretKeyIn(config.DATA_DIR)))
  const rooms = new LiveRooms(db, now, (room, left) => saveLastSeen(db, room, left))
  const deps: Deps = {
    config,
    db,
    secrets,
    sessions: new Sessions(db, secrets, now),
    rooms,
    streams: new EventStreams(),
    tickets: new StreamTickets(now),
    zoom: createZoom({ config, db, secrets, now, log }),
    now,
    log,
  }
  const app = await buildApp(deps)
  return {
    app,
    deps,
    async close() {
      deps.streams.close()
      await app.close()
      await rooms.close()
      await db.destroy()
    },
  }
}
