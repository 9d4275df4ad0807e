import { collectDefaultMetrics, Gauge } from 'prom-client'
import packageJson from '../../../package.json' with { type: 'json' }
import { HOUR_MS } from '../../../shared/dates.ts'
import type { Deps } from '../../deps.ts'
import { findNewestBackup } from '../../features/backup/newest-backup.ts'
import type { Clock } from '../../lib/clock.ts'
import { readDiskSpace } from '../../lib/disk-space.ts'
import { isDoneWithin } from '../../lib/is-done-within.ts'
import { siteOrigins } from '../../lib/sites.ts'
import { readStored } from './read-stored.ts'

/** A scrape does not wait longer for the database, Redis or a disk, and shows what they last answered. */
const LONGEST_WAIT_MS = 1_000
/** Several that scrape share one look at the database. */
const STORED_MS = 15_000
const CERTIFICATE_MS = HOUR_MS
/** A source that has not answered by then is left out. */
const LOST_MS = 5_000

/** Registers what is measured when it is asked for. Returns a function that measures what takes a while. */
export function registerGauges(deps: Deps): () => Promise<void> {
  const { config, streams, rooms, redis, metrics, now } = deps
  const registers = [metrics.registry]
  collectDefaultMetrics({ register: metrics.registry })
  const gauge = <L extends string>(name: string, help: string, labelNames: L[] = []) =>
    new Gauge<L>({ name, help, labelNames, registers })

  gauge('parley_build_info', 'Always 1, with the version of this server', ['version']).set(
    { version: packageJson.version },
    1,
  )
  new Gauge({
    name: 'parley_event_streams',
    help: 'Open event streams of consoles and phones',
    labelNames: ['kind'],
    registers,
    collect() {
      for (const [kind, count] of Object.entries(streams.counts())) this.set({ kind }, count)
    },
  })
  new Gauge({
    name: 'parley_online',
    help: 'Users, and phones of hosts, that are online in the rooms in memory; servers that share rooms count the same ones',
    labelNames: ['kind'],
    registers,
    collect() {
      const all = rooms.all()
      this.set(
        { kind: 'user' },
        all.reduce((sum, room) => sum + room.counts().online, 0),
      )
      this.set({ kind: 'host_phone' }, all.filter((room) => room.isOnline(room.hostId)).length)
    },
  })
  new Gauge({
    name: 'parley_rooms',
    help: 'Rooms in memory, by whether they are in step with the other servers',
    labelNames: ['state'],
    registers,
    collect() {
      const all = rooms.all()
      const inStep = all.filter((room) => room.isInStep).length
      this.set({ state: 'in_step' }, inStep)
      this.set({ state: 'alone' }, all.length - inStep)
    },
  })

  const redisUp = gauge('parley_redis_up', 'Whether Redis answers; absent without REDIS_URL')
  const backlog = gauge('parley_webhook_backlog', 'Events from Zoom that are stored and not handled yet')
  const mailWaiting = gauge('parley_mail_waiting', 'Mails that wait to be sent')
  const zoomHosts = gauge('parley_zoom_hosts', 'Hosts by their connection to Zoom', ['state'])
  const inTrouble = gauge('parley_hosts_in_trouble', 'Hosts with a problem that a master or host has to solve', [
    'problem',
  ])
  const backupAt = gauge('parley_backup_last_success_timestamp_seconds', 'Time of the newest backup')
  const backupBytes = gauge('parley_backup_bytes', 'Size of the newest backup')
  const backupInterval = gauge(
    'parley_backup_interval_seconds',
    'Time between two scheduled backups; absent without a schedule',
  )
  const diskFree = gauge('parley_disk_free_bytes', 'Room on the disk of DATA_DIR')
  const diskSize = gauge('parley_disk_size_bytes', 'Size of the disk of DATA_DIR, without what root alone may use')
  const certificate = gauge(
    'parley_certificate_expiry_timestamp_seconds',
    'End of the certificate of each site, looked up hourly; 0 where it is not trusted',
    ['site'],
  )
  for (const one of [redisUp, backlog, mailWaiting, backupAt, backupBytes, backupInterval, diskFree, diskSize])
    one.remove()
  if (config.BACKUP_TO) backupInterval.set(config.BACKUP_HOURS * (HOUR_MS / 1000))

  const measurements = [
    measurement(now, {
      measure: async () => redis && ((await redis.isUp()) ? 1 : 0),
      show(up) {
        if (up === null) redisUp.remove()
        else redisUp.set(up)
      },
    }),
    measurement(now, {
      measure: () => readStored(deps),
      freshMs: STORED_MS,
      show(stored) {
        zoomHosts.reset()
        inTrouble.reset()
        if (!stored) {
          backlog.remove()
          mailWaiting.remove()
          return
        }
        backlog.set(stored.backlog)
        mailWaiting.set(stored.mailWaiting)
        for (const [state, count] of Object.entries(stored.zoomHosts)) zoomHosts.set({ state }, count)
        for (const [problem, count] of Object.entries(stored.inTrouble)) inTrouble.set({ problem }, count)
      },
    }),
    measurement(now, {
      measure: () => findNewestBackup(deps),
      freshMs: STORED_MS,
      show(newest) {
        if (newest) backupAt.set(newest.time / 1000)
        else backupAt.remove()
        if (newest && newest.bytes !== null) backupBytes.set(newest.bytes)
        else backupBytes.remove()
      },
    }),
    measurement(now, {
      measure: () => readDiskSpace(config.DATA_DIR),
      show(disk) {
        if (!disk) {
          diskFree.remove()
          diskSize.remove()
          return
        }
        diskFree.set(disk.free)
        diskSize.set(disk.size)
      },
    }),
  ]
  const sites = config.PUBLIC_URL.startsWith('https:') ? Object.entries(siteOrigins(config)) : []
  const certificates = sites.map(([site, origin]) =>
    measurement(now, {
      async measure() {
        const { readCertificate } = await import('../../features/system/read-certificate.ts') // with Node's HTTP client
        return readCertificate(new URL(origin), AbortSignal.timeout(LOST_MS))
      },
      freshMs: CERTIFICATE_MS,
      show(found) {
        if (found) certificate.set({ site }, found.fault === null ? found.validTo / 1000 : 0)
        else certificate.remove({ site })
      },
    }),
  )

  return async () => {
    for (const look of certificates) void look() // a scrape does not wait for a proxy that is absent
    await Promise.all(measurements.map((look) => isDoneWithin(look(), LONGEST_WAIT_MS)))
  }
}

interface Measurement<T> {
  measure(): Promise<T>
  /** Shows null where there is no answer. */
  show(result: T | null): void
  freshMs?: number
}

/** Returns a function that measures, unless the last measurement is younger than `freshMs`. One that hangs is not begun again. */
function measurement<T>(now: Clock, { measure, show, freshMs = 0 }: Measurement<T>): () => Promise<void> {
  let running: Promise<void> | null = null
  let measuredAt = -Infinity
  async function run() {
    const late = setTimeout(() => show(null), LOST_MS).unref()
    try {
      show(await measure())
      measuredAt = now()
    } catch {
      show(null)
    } finally {
      clearTimeout(late)
      running = null
    }
  }
  return async () => {
    if (Math.abs(now() - measuredAt) < freshMs) return
    running ??= run()
    await running
  }
}
