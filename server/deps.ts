import type { FastifyBaseLogger } from 'fastify'
import type { Config } from './config.ts'
import type { Db } from './db/client.ts'
import type { StayLog } from './features/attendance/stay-log.ts'
import type { Passwords } from './features/auth/passwords.ts'
import type { Sessions } from './features/auth/sessions.ts'
import type { EventStreams } from './features/live-room/event-stream.ts'
import type { LiveRooms } from './features/live-room/live-rooms.ts'
import type { StreamTickets } from './features/live-room/stream-tickets.ts'
import type { Clock } from './lib/clock.ts'
import type { Secrets } from './lib/secrets.ts'
import type { Zoom } from './zoom/zoom.ts'

/** Passed to every domain function. Created once at start, and by each test. */
export interface Deps {
  config: Config
  db: Db
  secrets: Secrets
  sessions: Sessions
  rooms: LiveRooms
  stays: StayLog
  streams: EventStreams
  tickets: StreamTickets
  passwords: Passwords
  zoom: Zoom
  now: Clock
  log: FastifyBaseLogger
}
