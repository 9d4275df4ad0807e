import { mkdir } from 'node:fs/promises'
import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises'
import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import { buildApp } from './app.ts'
import { BadSetting, type Config } from './config.ts'
import { type Db, observeQueries } from './db/client.ts'
import { identityOf } from './db/installation-identity.ts'
import type { Deps } from './deps.ts'
import { HandLog } from './features/attendance/hand-log.ts'
import { SpeechLog } from './features/attendance/speech-log.ts'
import { StayLog } from './features/attendance/stay-log.ts'
import { AuditSearchQueue } from './features/audit/audit-search-queue.ts'
import { LISTED_NAMES, LISTED_USERS_LIMIT } from './features/audit/listed-users.ts'
import { AnonymousQueryQueue } from './features/auth/anonymous-query-queue.ts'
import { LoginThrottle } from './features/auth/login-throttle.ts'
import { isEmptyDatabase } from './features/auth/masters.ts'
import { Passwords } from './features/auth/passwords.ts'
import { RefusedCalls } from './features/auth/refused-calls.ts'
import { Sessions } from './features/auth/sessions.ts'
import { LiveRooms } from './features/live-room/live-rooms.ts'
import { localRoomLogs } from './features/live-room/replication/local-room-logs.ts'
import { RedisRoomLogs } from './features/live-room/replication/redis-room-logs.ts'
import { ROOM_TIMES, type RoomTimes } from './features/live-room/room-times.ts'
import { FanOut } from './features/live-room/streams/broadcaster.ts'
import { EventStreams } from './features/live-room/streams/sse.ts'
import { StreamTickets } from './features/live-room/streams/stream-tickets.ts'
import { MeetingChecks } from './features/phones/join-ticket.ts'
import { MediaSource } from './features/recordings/media.ts'
import { saveLastSeen } from './features/room-users/last-seen.ts'
import { endTurn } from './features/room-users/turns.ts'
import { endExpiredSeat } from './features/seat/seat.ts'
import { RequiredFactors } from './features/second-factor/requirement.ts'
import { SystemChecks } from './features/system/system-checks.ts'
import { JobRunner } from './jobs/job-runner.ts'
import { JOBS } from './jobs.ts'
import { noopBus } from './lib/bus.ts'
import type { Clock } from './lib/clock.ts'
import { KeyedMutex } from './lib/keyed-mutex.ts'
import { measureRoom } from './lib/measure-room.ts'
import { Metrics } from './lib/metrics.ts'
import { NextFlight } from './lib/next-flight.ts'
import { secretKeyIn, secretsFrom } from './lib/secrets.ts'
import { SingleFlight } from './lib/single-flight.ts'
import { createThrottledReporter } from './lib/throttled-reporter.ts'
import { TokenBuckets } from './lib/token-bucket.ts'
import { RedisBus } from './redis/redis-bus.ts'
import { createZoom } from './zoom/zoom.ts'
import { ZoomErrorLog } from './zoom/zoom-error-log.ts'
import { ZoomTrace } from './zoom/zoom-trace.ts'

/** Time for a proxy to notice. */
const DRAIN_MS = 2_000

export interface RunningServer {
  app: FastifyInstance
  deps: Deps
  /** Resolves when the jobs that begin with the server have run once. */
  firstJobs: Promise<unknown>
  /** Call on a server that is not alone: it serves requests while the others take over new ones. */
  drain(): Promise<void>
  close(): Promise<void>
}

/** Builds the server around a migrated database. `close` ends streams and requests first; the database stays open. */
export async function startServer(
  config: Config,
  db: Db,
  log: FastifyBaseLogger,
  now: Clock = Date.now,
  roomTimes: Partial<RoomTimes> = {},
): Promise<RunningServer> {
  await mkdir(config.DATA_DIR, { recursive: true })
  const secrets = secretsFrom(config.SECRET_KEY ?? (await secretKeyIn(config.DATA_DIR, () => isEmptyDatabase(db))))
  const times = { ...ROOM_TIMES, ...roomTimes }
  const metrics = new Metrics()
  observeQueries(db, (seconds) => metrics.databaseSeconds.observe(seconds))
  const fanOut = new FanOut()
  const redis = config.REDIS_URL
    ? new (await import('./redis/shared-redis.ts')).SharedRedis({
        url: config.REDIS_URL,
        identity: await identityOf(db, secrets),
        secrets,
        onUnreadable: createThrottledReporter((err: unknown, times) => log.error({ err, times }, 'redis.unreadable')),
      })
    : null
  const bus = redis ? new RedisBus(redis.partitions[0], now) : noopBus
  const speeches = new SpeechLog({ db, now, log })
  const hands = new HandLog({ db, now, log })
  const stays = new StayLog({ db, now, log, sharedAs: redis?.node ?? null })
  const rooms = new LiveRooms(db, {
    logs: redis ? new RedisRoomLogs(redis, now, (err) => log.warn({ err }, 'live_room.goes_on_alone')) : localRoomLogs,
    now,
    times,
    fanOut,
    onFault: (err) => log.error({ err }, 'live_room.change_failed'),
    saveLastSeen: (room, users) => saveLastSeen(db, room, users),
    endExpiredSeat: (room) => endExpiredSeat({ db, now }, room),
    endTurn: (room) => endTurn({ db, now, rooms }, room),
    metrics,
    onPresence: (roomId, user, isOnline) => stays.record(roomId, user, isOnline),
    onSpoken: (roomId, speech) => speeches.record(roomId, speech),
    onHand: (roomId, hand) => hands.record(roomId, hand),
  })
  const jobs = new JobRunner()
  const stopping = new AbortController()
  const strangers = new AnonymousQueryQueue()
  const zoomTrace = new ZoomTrace(now)
  const zoomErrors = new ZoomErrorLog({ db, now, log })
  const zoom = createZoom({ config, db, secrets, now, log, zoomTrace, zoomErrors, metrics })
  const deps: Deps = {
    config,
    db,
    secrets,
    bus,
    sessions: new Sessions({ db, secrets, bus, now, strangers, isShared: redis !== null }),
    rooms,
    stays,
    speeches,
    hands,
    streams: new EventStreams(fanOut, times.comment),
    streamTickets: new StreamTickets({ secrets, bus, now }, times),
    passwords: new Passwords({ now, bus }),
    loginThrottle: new LoginThrottle({ db, secrets, bus, now, strangers }),
    refusedCalls: new RefusedCalls({ db, secrets, now }),
    requiredFactors: new RequiredFactors({ db, now }),
    strangers,
    subscriptionChecks: new NextFlight(),
    listedUsers: new TokenBuckets({ now, bus }, LISTED_USERS_LIMIT),
    listedNames: new TokenBuckets({ now, bus }, LISTED_NAMES),
    zoom,
    zoomTrace,
    zoomErrors,
    filePages: new KeyedMutex(),
    auditSearches: new AuditSearchQueue(),
    meetingMutex: new KeyedMutex(),
    meetingChecks: new MeetingChecks(),
    recordingSyncs: new SingleFlight(),
    mediaSource: new MediaSource({ db, zoom, config, now, log }),
    measureRoom,
    systemChecks: new SystemChecks({ config, db, secrets, log }),
    redis,
    metrics,
    jobs,
    stopping: stopping.signal,
    now,
    log,
  }
  const app = await buildApp(deps)
  const isRedisHere = await redis?.connect()
  if (redis?.isForeign) {
    redis.close()
    throw new BadSetting(
      'The Redis at REDIS_URL belongs to servers with another DATABASE_URL or SECRET_KEY. Each installation needs its own.',
    )
  }
  if (redis && !isRedisHere) log.warn('redis.unavailable')
  if (bus instanceof RedisBus) await bus.start() // reads the other servers' counts of wrong passwords before this one accepts any
  await deps.requiredFactors.refresh()
  await stays.start()
  speeches.start()
  hands.start()
  await jobs.start(deps, JOBS)
  return {
    app,
    deps,
    firstJobs: jobs.idle(),
    async drain() {
      stopping.abort()
      await delay(DRAIN_MS)
    },
    async close() {
      stopping.abort()
      const jobsClosed = jobs.close()
      const closed = app.close()
      while (app.server.listening) await nextTurn() // a stream that ended sooner would reopen here
      deps.streams.close()
      await closed
      await jobsClosed
      await rooms.close()
      await zoomErrors.close()
      await speeches.close()
      await hands.close()
      await stays.close()
      redis?.close()
    },
  }
}
