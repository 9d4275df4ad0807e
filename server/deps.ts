import type { FastifyBaseLogger } from 'fastify'
import type { StayLog } from './attendance/stay-log.ts'
import type { Sessions } from './auth/sessions.ts'
import type { Clock } from './clock.ts'
import type { Config } from './config.ts'
import type { Db } from './db.ts'
import type { EventStreams } from './room-events/event-stream.ts'
import type { LiveRooms } from './room-events/live-rooms.ts'
import type { StreamTickets } from './room-events/stream-tickets.ts'
import type { Secrets } from './secrets.ts'
import type { TokenBuckets } from './token-bucket.ts'
import type { Zoom } from './zoom/zoom.ts'

/** What domain functions work with; made once at start, and by each test for itself. */
export interface Deps {
  config: Config
  db: Db
  secrets: Secrets
  sessions: Sessions
  rooms: LiveRooms
  stays: StayLog
  streams: EventStreams
  tickets: StreamTickets
  /** Of each host and master: how many passwords it may set. */
  newPasswords: TokenBuckets
  zoom: Zoom
  now: Clock
  log: FastifyBaseLogger
}
