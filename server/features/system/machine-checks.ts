import { existsSync } from 'node:fs'
import { access, constants, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Db } from '../../db/client.ts'
import { newKeyIn } from '../../db/data-dir-marks.ts'
import { diskSpaceOf } from '../../lib/disk-space.ts'
import { filesIn } from '../../lib/files-in.ts'
import { connectRedis } from '../../redis/connect.ts'
import { masterConnectionOptions } from '../../redis/master-connector.ts'
import { MasterLocator } from '../../redis/master-locator.ts'
import { findPlaintextConnections } from '../../redis/plaintext-connections.ts'
import { describeRedis, parseRedisUrl } from '../../redis/redis-url.ts'
import { codeOf, type Finding, note, ok, problem, type RunCheck, warn } from './check.ts'
import { fetchSdk } from './zoom-checks.ts'

const GB = 1_000_000_000
const LARGEST_SKEW_MS = 2_000
const OTHERS_MAY = 0o077
const OTHERS_MAY_WRITE = 0o022
const FILES_LOOKED_FOR = 3
/** States of a connection whose first attempt has failed. */
const LOST = ['reconnecting', 'end']

export const checkSettings: RunCheck = async ({ config }) => {
  const plain = findPlaintextConnections(config)
  if (plain.length > 0)
    return warn(
      `${plain.map(({ setting, hosts }) => `${setting} leads to ${hosts.join(', ')} without TLS`).join('; ')}.`,
      'Ask for TLS in the address, unless that network is yours alone.',
    )
  if (config.PUBLIC_URL.startsWith('https:') && !config.TRUST_PROXY)
    return warn(
      'PUBLIC_URL is https, but TRUST_PROXY is not set: all callers look like the proxy.',
      'Set TRUST_PROXY=true, and let the proxy set X-Forwarded-For.',
    )
  return ok('They are valid.')
}

export const checkRedis: RunCheck = async ({ config: { REDIS_URL } }, signal) => {
  if (!REDIS_URL) return note('Off, as is right for one server.')
  const address = parseRedisUrl(REDIS_URL)
  const masters = address === null || typeof address === 'string' ? null : new MasterLocator(address)
  const redis = connectRedis(masters ? masterConnectionOptions(masters, 0) : REDIS_URL, 'parley doctor')
  signal.addEventListener('abort', () => redis.disconnect())
  const where = describeRedis(REDIS_URL)
  try {
    while (redis.status !== 'ready' && !LOST.includes(redis.status) && !signal.aborted) await delay(20)
    const sent = performance.now()
    await redis.ping()
    const found = `${where}, ${(performance.now() - sent).toFixed(1)} ms.`
    const info = await redis.info()
    const policy = /^maxmemory_policy:(\S+)/m.exec(info)?.[1]
    return policy && policy !== 'noeviction'
      ? warn(`${found} Its maxmemory-policy is ${policy}.`, 'Set maxmemory-policy to noeviction.')
      : ok(found)
  } catch {
    return problem(`${where} does not answer.`, 'Start it, or correct REDIS_URL. Until then each server goes on alone.')
  } finally {
    redis.disconnect()
    masters?.close()
  }
}

export const checkDisk: RunCheck = async ({ config: { DATA_DIR }, measureDisk }) => {
  const { free, size } = diskSpaceOf(await measureDisk(DATA_DIR))
  const percent = Math.floor((free / size) * 100)
  const found = `${(free / GB).toFixed(1)} GB, ${percent}% of the disk of ${DATA_DIR}, is free.`
  if (percent < 5 || free < GB) return problem(found, 'Make room now: a full disk stops every change.')
  return percent < 20 ? warn(found, 'Make room, or give it a larger disk.') : ok(found)
}

export const checkDataDir: RunCheck = async ({ config, db }) => {
  const { DATA_DIR } = config
  const found = await stat(DATA_DIR).catch((error: unknown) => codeOf(error))
  if (typeof found === 'string')
    return problem(`${DATA_DIR} cannot be read (${found}).`, 'Correct DATA_DIR, or start the server once.')
  const isWritable = await access(DATA_DIR, constants.W_OK | constants.X_OK).then(
    () => true,
    () => false,
  )
  if (!isWritable) return problem(`${DATA_DIR} cannot be written to.`, 'Give it to the user of the server.')
  const mode = (found.mode & 0o777).toString(8).padStart(4, '0')
  if (found.mode & OTHERS_MAY_WRITE)
    return problem(`${DATA_DIR} is open to others (mode ${mode}).`, `chmod 700 ${DATA_DIR}`)
  const archived = await readNewest(db).catch(() => []) // the check of the database says so
  for (const path of filesIn(
    config,
    archived.map(({ archived_path }) => archived_path ?? ''),
  ))
    if (!(await stat(path).catch(() => null)))
      return problem(
        'An archived recording is not in it.',
        'All servers need the same folder as DATA_DIR. Mount the shared one, or restore its files.',
      )
  return found.mode & OTHERS_MAY
    ? warn(`${DATA_DIR} can be read by others (mode ${mode}).`, `chmod 700 ${DATA_DIR}`)
    : ok(`${DATA_DIR}, mode ${mode}.`)
}

const readNewest = async (db: () => Db) =>
  db()
    .selectFrom('recordings')
    .select('archived_path')
    .where('archived_path', 'is not', null)
    .orderBy('synced_at', 'desc')
    .limit(FILES_LOOKED_FOR)
    .execute()

export const checkClock: RunCheck = async (deps, signal) => {
  const { config, db } = deps
  if (config.DATABASE_URL) {
    const sent = Date.now()
    const { rows } = await sql<{ ms: number }>`select extract(epoch from clock_timestamp()) * 1000 as ms`.execute(db())
    return skewFinding((sent + Date.now()) / 2 - Number(rows[0]?.ms), "the database's")
  }
  const sdk = await fetchSdk(deps, signal)
  if (!sdk) return note('Not compared: there is no other clock.')
  if (!sdk.date) return note("Not compared: Zoom's answer has no time.")
  const rounding = 500 // the header has whole seconds
  return skewFinding((sdk.sentAt + sdk.receivedAt) / 2 - Date.parse(sdk.date) - rounding, "Zoom's")
}

function skewFinding(skewMs: number, whose: string) {
  const seconds = `${(Math.abs(skewMs) / 1000).toFixed(1)} s`
  if (Math.abs(skewMs) < LARGEST_SKEW_MS) return ok(`Within ${seconds} of ${whose}.`)
  return warn(`It is ${seconds} ${skewMs > 0 ? 'ahead of' : 'behind'} ${whose}.`, "Set this machine's clock by NTP.")
}

export async function checkKeyFile(dataDir: string, hasSetting: boolean): Promise<Finding | null> {
  if (existsSync(newKeyIn(dataDir)))
    return problem('The change of SECRET_KEY is not finished.', 'Run `npm run rotate-key -- --yes`.')
  if (hasSetting) return null
  const path = join(dataDir, 'secret.key')
  const found = await stat(path).catch((error: unknown) => codeOf(error))
  if (found === 'ENOENT') return note('There is none yet: the first start makes it.')
  if (typeof found === 'string')
    return problem(`${path} cannot be read (${found}).`, 'Give it to the user of the server.')
  if ((found.mode & OTHERS_MAY) === 0) return null
  const mode = (found.mode & 0o777).toString(8).padStart(4, '0')
  return problem(`${path} is open to others (mode ${mode}).`, `chmod 600 ${path}`)
}
