import { mkdir } from 'node:fs/promises'
import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import { buildApp } from './app.ts'
import { releaseArchiveOfTheDead } from './archive/archive-rows.ts'
import { StayLog } from './attendance/stay-log.ts'
import { hasNobody } from './auth/masters.ts'
import { newPasswordLimit } from './auth/passwords.ts'
import { Sessions } from './auth/sessions.ts'
import type { Clock } from './clock.ts'
import type { Config } from './config.ts'
import type { Db } from './db.ts'
import type { Deps } from './deps.ts'
import { Jobs, LONG_JOBS } from './jobs/jobs.ts'
import { EventStreams } from './room-events/event-stream.ts'
import { FanOut } from './room-events/fan-out.ts'
import { InProcessEngine } from './room-events/in-process-engine.ts'
import { LiveRooms } from './room-events/live-rooms.ts'
import { ROOM_TIMES, type RoomTimes } from './room-events/room-times.ts'
import { StreamTickets } from './room-events/stream-tickets.ts'
import { saveLastSeen } from './room-users/last-seen.ts'
import { secretKeyIn, secretsFrom } from './secrets.ts'
import { createZoom } from './zoom/zoom.ts'

export interface Running {
  app: FastifyInstance
  deps: Deps
  /** The jobs that begin with the server have all been done once. */
  firstJobs: Promise<unknown>
  close(): Promise<void>
}

/** Puts the parts together around a migrated database. `close` ends streams and requests first, the database last. */
export async function startServer(
  config: Config,
  db: Db,
  log: FastifyBaseLogger,
  now: Clock = Date.now,
  roomTimes: Partial<RoomTimes> = {},
): Promise<Running> {
  await mkdir(config.DATA_DIR, { recursive: true })
  const secrets = secretsFrom(config.SECRET_KEY ?? (await secretKeyIn(config.DATA_DIR, () => hasNobody(db))))
  const stays = new StayLog({ db, now, log, config })
  const times = { ...ROOM_TIMES, ...roomTimes }
  const fanOut = new FanOut()
  const rooms = new LiveRooms(db, {
    now,
    times,
    fanOut,
    engine: new InProcessEngine(),
    onFault: (err) => log.error({ err }, 'A change of a live room failed'),
    onLeft: (room, left) => saveLastSeen(db, room, left),
    onMove: (roomId, user, isOnline) => stays.moved(roomId, user, isOnline),
  })
  const deps: Deps = {
    config,
    db,
    secrets,
    sessions: new Sessions(db, secrets, now),
    rooms,
    stays,
    streams: new EventStreams(fanOut, times.comment),
    tickets: new StreamTickets(now, times),
    newPasswords: newPasswordLimit(now),
    zoom: createZoom({ config, db, secrets, now, log }),
    now,
    log,
  }
  const app = await buildApp(deps)
  const jobs = new Jobs(deps)
  const longJobs = new Jobs(deps)
  await stays.begin()
  jobs.start()
  await releaseArchiveOfTheDead(deps)
  longJobs.start(LONG_JOBS)
  return {
    app,
    deps,
    firstJobs: Promise.all([jobs.idle(), longJobs.idle()]),
    async close() {
      deps.streams.close()
      await app.close()
      await rooms.close()
      await Promise.all([jobs.close(), longJobs.close()])
      await stays.close()
      await db.destroy()
    },
  }
}
