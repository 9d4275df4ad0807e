import type { FastifyBaseLogger } from 'fastify'
import type { Config } from './config.ts'
import type { Db } from './db/client.ts'
import type { HandLog } from './features/attendance/hand-log.ts'
import type { SpeechLog } from './features/attendance/speech-log.ts'
import type { StayLog } from './features/attendance/stay-log.ts'
import type { AuditSearchQueue } from './features/audit/audit-search-queue.ts'
import type { AnonymousQueryQueue } from './features/auth/anonymous-query-queue.ts'
import type { LoginThrottle } from './features/auth/login-throttle.ts'
import type { Passwords } from './features/auth/passwords.ts'
import type { RefusedCalls } from './features/auth/refused-calls.ts'
import type { Sessions } from './features/auth/sessions.ts'
import type { LiveRooms } from './features/live-room/live-rooms.ts'
import type { EventStreams } from './features/live-room/streams/sse.ts'
import type { StreamTickets } from './features/live-room/streams/stream-tickets.ts'
import type { MeetingChecks } from './features/phones/join-ticket.ts'
import type { MediaSource } from './features/recordings/media.ts'
import type { RequiredFactors } from './features/second-factor/requirement.ts'
import type { SystemChecks } from './features/system/system-checks.ts'
import type { JobRunner } from './jobs/job-runner.ts'
import type { Bus } from './lib/bus.ts'
import type { Clock } from './lib/clock.ts'
import type { KeyedMutex } from './lib/keyed-mutex.ts'
import type { Metrics } from './lib/metrics.ts'
import type { NextFlight } from './lib/next-flight.ts'
import type { Secrets } from './lib/secrets.ts'
import type { SingleFlight } from './lib/single-flight.ts'
import type { TokenBuckets } from './lib/token-bucket.ts'
import type { SharedRedis } from './redis/shared-redis.ts'
import type { ZoomApi } from './zoom/zoom.ts'
import type { ZoomErrorLog } from './zoom/zoom-error-log.ts'
import type { ZoomTrace } from './zoom/zoom-trace.ts'

/** Passed to every domain function. Created once at start, and by each test. */
export interface Deps {
  config: Config
  db: Db
  secrets: Secrets
  bus: Bus
  sessions: Sessions
  rooms: LiveRooms
  stays: StayLog
  speeches: SpeechLog
  hands: HandLog
  streams: EventStreams
  streamTickets: StreamTickets
  passwords: Passwords
  loginThrottle: LoginThrottle
  refusedCalls: RefusedCalls
  requiredFactors: RequiredFactors
  strangers: AnonymousQueryQueue
  /** Keyed by host: all phones of a room share one read of its subscription. */
  subscriptionChecks: NextFlight<string>
  /** Keyed by host: how many more users its bulk actions may name in the audit. */
  listedUsers: TokenBuckets
  /** Keyed by host: how many more of its actions on one user may keep the user's names in the audit. */
  listedNames: TokenBuckets
  /** Keyed by account: its files read one page at a time, so that they hold one connection to the database. */
  filePages: KeyedMutex
  auditSearches: AuditSearchQueue
  zoom: ZoomApi
  zoomTrace: ZoomTrace
  zoomErrors: ZoomErrorLog
  /** Keyed by host: two concurrent changes of a room's meeting could create it twice. */
  meetingMutex: KeyedMutex
  meetingChecks: MeetingChecks
  /** Keyed by room and first day: several tabs share one listing at Zoom. */
  recordingSyncs: SingleFlight<boolean>
  mediaSource: MediaSource
  /** Returns how many bytes the disk of a folder has left. */
  measureRoom: (folder: string) => Promise<number>
  systemChecks: SystemChecks
  /** Null without REDIS_URL. */
  redis: Pick<SharedRedis, 'isUp'> | null
  metrics: Metrics
  jobs: JobRunner
  /** Aborts when the server is about to stop, so that the load balancer uses another one. */
  stopping: AbortSignal
  now: Clock
  log: FastifyBaseLogger
}
