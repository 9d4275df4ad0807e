import { parseArgs } from 'node:util'
import type { Logger } from 'pino'
import { ControlSocket } from './commands/control-socket.ts'
import { BadSetting, type Config, listenFault, readConfig } from './config.ts'
import { countServers, DatabaseInUse, lockDatabase } from './db/advisory-lock.ts'
import { Autovacuum } from './db/autovacuum.ts'
import { type Db, openPostgres, withoutTimeout } from './db/client.ts'
import { DataDirInUse, lockDataDir, makeDataDir } from './db/data-dir-lock.ts'
import { NotUsableYet, requireFinishedKey, requireNotMoved } from './db/data-dir-marks.ts'
import { DatabaseClock } from './db/database-clock.ts'
import { CannotOpenDatabase, openEmbedded } from './db/embedded.ts'
import { requireOwnKey } from './db/installation-key.ts'
import { OlderDatabase, recordVersion, requireUpdatable } from './db/installed-version.ts'
import { migrate, NewerDatabase, UnreleasedDatabase } from './db/migrate.ts'
import { Snapshots } from './db/snapshots.ts'
import { waitForPostgres } from './db/wait-for-postgres.ts'
import type { Deps } from './deps.ts'
import { writeFirstMaster } from './features/auth/first-master-file.ts'
import { ensureMaster } from './features/auth/masters.ts'
import { LogOutput } from './lib/log-output.ts'
import { createLogger } from './lib/logger.ts'
import { readSecretKey, SecretKeyMissing, secretsFrom } from './lib/secrets.ts'
import { shrinkAfterStart, shrinkWhenIdle } from './lib/shrink-when-idle.ts'
import { siteOrigins } from './lib/sites.ts'
import { startWatchdog } from './lib/watchdog.ts'
import { CONSOLE_BUILD_DIR, keepFiles } from './plugins/console-pages/kept-files.ts'
import { findPlaintextConnections } from './redis/plaintext-connections.ts'
import { describeRedis } from './redis/redis-url.ts'
import { startEmbeddedEmulator } from './zoom/embedded-emulator.ts'

/** Codes of a refused connection, by the network or by PostgreSQL: no such name, host, login or database. */
const UNUSABLE = /^(E[A-Z_]+|28...|3D000|53300|57P03)$/

/** Errors of which only the message is printed, without a stack. */
const USER_ERRORS = [
  BadSetting,
  DataDirInUse,
  DatabaseInUse,
  CannotOpenDatabase,
  NewerDatabase,
  OlderDatabase,
  UnreleasedDatabase,
  NotUsableYet,
  SecretKeyMissing,
]

const LARGEST_SKEW_MS = 2_000

const startedAt = performance.now()

for (const output of [process.stdout, process.stderr]) output.on('error', () => {}) // a full disk, or a closed pipe

/** Runs a server with the settings of the environment until a signal ends it. `onReady` is called once it listens. */
export async function runServer(onReady: (deps: Deps) => void = () => {}): Promise<void> {
  try {
    const flags = readFlags()
    if (flags.version) await import('./commands/version.ts')
    else onReady(await start(readConfig(process.env), flags['restore-snapshot']))
  } catch (error) {
    const isUserError = USER_ERRORS.some((kind) => error instanceof kind)
    if (error instanceof Error && (isUserError || isBadFlag(error))) {
      process.stderr.write(`${error.message}\n`)
      process.exit(1)
    }
    throw error
  }
}

function readFlags() {
  const flag = { type: 'boolean', default: false } as const
  return parseArgs({ options: { 'restore-snapshot': flag, version: flag } }).values
}

async function start(settings: Config, restoreSnapshot: boolean): Promise<Deps> {
  const log = createLogger(settings.LOG_LEVEL, new LogOutput(process.stdout.fd))
  makeDataDir(settings.DATA_DIR)
  const unlock = settings.DATABASE_URL ? () => {} : lockDataDir(settings.DATA_DIR)
  process.once('exit', unlock)
  if (!settings.DATABASE_URL) requireUsable(settings)
  const control = settings.DATABASE_URL ? null : new ControlSocket(settings.DATA_DIR, log)
  const stopWaiting = settings.DATABASE_URL
    ? await waitForPostgres(settings, settings.DATABASE_URL).catch((error: unknown) => {
        throw listenFault('PORT', settings.PORT, settings.BIND, String(error)) ?? error
      })
    : null

  const unlockDatabase = settings.DATABASE_URL ? await lockPostgres(settings, settings.DATABASE_URL) : null
  if (settings.DATABASE_URL) requireUsable(settings)

  const [db, emulator, { startServer }] = await Promise.all([
    settings.DATABASE_URL ? openPostgres(settings.DATABASE_URL) : openDataDir(settings, restoreSnapshot, log),
    settings.isDemoZoom ? startEmbeddedEmulator(settings) : null,
    import('./start.ts'), // loads its code while the database opens; each takes half a second
  ])
  const config = emulator ? { ...settings, ...emulator.settings } : settings
  await requireUpdatable(db)
  const key = settings.SECRET_KEY ?? (await readSecretKey(settings.DATA_DIR))
  if (key !== null) await requireOwnKey(db, secretsFrom(key), settings.SECRET_KEY !== undefined)
  const keepingFiles =
    settings.DATABASE_URL && settings.SECRET_KEY
      ? keepFiles(CONSOLE_BUILD_DIR, settings.DATA_DIR, secretsFrom(settings.SECRET_KEY), Date.now())
      : null
  const filesKept = keepingFiles?.catch((err: unknown) => log.warn({ err }, 'console.files_not_kept'))
  await (settings.DATABASE_URL ? withoutTimeout(settings.DATABASE_URL, migrate) : migrate(db))
  await recordVersion(db, new Date())
  await filesKept
  const clock = config.REDIS_URL ? await DatabaseClock.start(db) : null
  const { app, deps, drain, close } = await startServer(config, db, log, clock?.now)
  const snapshots = settings.DATABASE_URL ? null : await Snapshots.start({ dataDir: settings.DATA_DIR, db, log })
  const autovacuum = settings.DATABASE_URL ? null : new Autovacuum({ db, log })
  const firstMaster = await ensureMaster(deps)
  control?.serve(deps)
  stopOnSignal(
    async () => {
      if (config.REDIS_URL) await drain()
      control?.close()
      const emulatorClosed = emulator?.close()
      await close()
      await autovacuum?.close()
      await snapshots?.close()
      clock?.close()
      await db.destroy()
      await unlockDatabase?.()
      await emulatorClosed
    },
    { log, stopSeconds: config.STOP_SECONDS },
  )
  shrinkWhenIdle()
  if (!settings.DATABASE_URL) startWatchdog()
  shrinkAfterStart()
  await stopWaiting?.()
  await app.listen({ port: config.PORT, host: config.BIND }).catch((error: unknown) => {
    throw listenFault('PORT', config.PORT, config.BIND, String(error)) ?? error
  })

  const origins = siteOrigins(config)
  const ms = Math.round(performance.now() - startedAt)
  log.info({ ...origins, ms }, 'ready')
  process.send?.({
    type: 'ready',
    public_url: origins.public,
    master_url: origins.master,
    host_url: origins.host,
    phone_url: origins.phone,
    emulator_origin: emulator?.origin ?? null,
  })
  if (!process.send) {
    const { public: site, master, host, phone } = origins
    process.stderr.write(`Parley is ready in ${(ms / 1000).toFixed(1)} s at ${site}, ${master}, ${host} and ${phone}\n`)
  }
  warnOfClearText(config, log)
  if (clock) await describeSharing(config, deps, clock.skewMs)
  if (firstMaster) await reportFirstMaster(firstMaster, config)
  return deps
}

/** Call with the lock. Throws NotUsableYet. */
function requireUsable(settings: Config): void {
  requireFinishedKey(settings.DATA_DIR)
  requireNotMoved(settings)
}

function warnOfClearText(config: Config, log: Logger): void {
  for (const { setting, hosts } of findPlaintextConnections(config)) {
    log.warn({ setting, hosts }, 'connection.without_tls')
    const where = hosts.join(', ')
    process.stderr.write(
      `${setting} leads to ${where} without TLS. Anyone on the network in between can read and change everything.\n`,
    )
  }
}

/** Prints to a terminal only, else writes a file: many read output in journals and log collectors. */
async function reportFirstMaster(master: { email: string; password: string }, config: Config) {
  const created = '\nThe first master was created.'
  if (process.stdout.isTTY) {
    process.stdout.write(`${created} This is shown once:\n  ${master.email}\n  ${master.password}\n\n`)
    return
  }
  const path = await writeFirstMaster(config, master)
  process.stdout.write(`${created} Its email and password are in ${path}, until a master has signed in.\n\n`)
}

/** Prints in one line what this server shares and with how many, and in another a wrong clock. */
async function describeSharing({ DATABASE_URL = '', REDIS_URL = '' }: Config, { db, log }: Deps, skewMs: number) {
  const database = new URL(DATABASE_URL)
  const others = (await countServers(db)) - 1
  const shared = { database: `${database.host}${database.pathname}`, redis: describeRedis(REDIS_URL), others }
  log.info(shared, 'sharing')
  const count = others === 1 ? '1 other server' : `${others} other servers`
  process.stderr.write(`It shares PostgreSQL at ${shared.database} and ${shared.redis} with ${count}.\n`)
  if (Math.abs(skewMs) < LARGEST_SKEW_MS) return
  log.warn({ skew_ms: Math.round(skewMs) }, 'clock.differs')
  const skew = `${(Math.abs(skewMs) / 1000).toFixed(1)} s ${skewMs > 0 ? 'ahead of' : 'behind'}`
  process.stderr.write(
    `This machine's clock is ${skew} the database's. Parley uses the database's clock. Please set this machine's.\n`,
  )
}

function lockPostgres({ REDIS_URL }: Config, url: string): Promise<() => Promise<void>> {
  const leave = () => {
    process.stderr.write(`${new DatabaseInUse().message}\n`)
    process.exit(1)
  }
  return lockDatabase(url, REDIS_URL ? 'shared' : 'alone', leave).catch((error: NodeJS.ErrnoException) => {
    if (!UNUSABLE.test(error.code ?? '')) throw error
    throw new BadSetting(`The database at DATABASE_URL cannot be used: ${error.message || error.code}`)
  })
}

function openDataDir({ DATA_DIR }: Config, restore: boolean, log: Logger): Promise<Db> {
  const print = (line: string) => process.stderr.write(`${line}\n`)
  print(
    'The embedded database survives a killed process but not lost power; set DATABASE_URL for data that you rely on.',
  )
  const onPanic = (reason: string) => {
    log.fatal({ reason }, 'db.failed')
    process.exit(1)
  }
  return openEmbedded(DATA_DIR, { restore, print, onPanic })
}

/**
 * Replaces close-with-grace, which exits at the second signal: Ctrl-C reaches this process twice, from the terminal and
 * through bin/run.mjs, and the database must still be closed.
 */
function stopOnSignal(close: () => Promise<void>, { log, stopSeconds }: { log: Logger; stopSeconds: number }): void {
  let isStopping = false
  const stop = async () => {
    if (isStopping) return
    isStopping = true
    log.info('stopping')
    setTimeout(() => process.exit(1), stopSeconds * 1_000).unref()
    await close()
    process.exit(0)
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => void stop())
  process.on('disconnect', () => void stop()) // the program that started this one has ended
}

function isBadFlag(error: Error): boolean {
  return 'code' in error && error.code === 'ERR_PARSE_ARGS_UNKNOWN_OPTION'
}
