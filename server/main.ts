import { pino } from 'pino'
import { ensureMaster } from './auth/masters.ts'
import { BadSetting, type Config, readConfig } from './config.ts'
import { DataDirInUse, lockDataDir } from './data-dir-lock.ts'
import { openEmbedded, openPostgres } from './db.ts'
import { type Emulator, startEmbeddedEmulator } from './embedded-emulator.ts'
import { migrate } from './migrate.ts'
import { siteOrigins } from './sites.ts'
import { startServer } from './start.ts'

const began = performance.now()

try {
  await main(readConfig(process.env))
} catch (error) {
  if (error instanceof BadSetting || error instanceof DataDirInUse || isPortTaken(error)) {
    process.stderr.write(`${error.message}\n`)
    process.exit(1)
  }
  throw error
}

async function main(settings: Config): Promise<void> {
  const log = pino({
    level: settings.LOG_LEVEL,
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: ['req.headers.authorization', 'password', 'token', '*.password', '*.token'],
  })
  const unlock = settings.DATABASE_URL ? () => {} : lockDataDir(settings.DATA_DIR)
  process.once('exit', unlock)

  const [db, emulator] = await Promise.all([
    settings.DATABASE_URL ? openPostgres(settings.DATABASE_URL) : openEmbedded(settings.DATA_DIR),
    settings.isDemoZoom ? startEmbeddedEmulator(settings) : null,
  ])
  const config = emulator ? { ...settings, ...emulator.settings } : settings
  await migrate(db)
  const { app, deps, close } = await startServer(config, db, log)
  const firstMaster = await ensureMaster(deps)
  await app.listen({ port: config.PORT, host: config.BIND })

  const origins = siteOrigins(config)
  log.info({ ...origins, ms: Math.round(performance.now() - began) }, 'ready')
  process.send?.({
    type: 'ready',
    public_url: origins.public,
    master_url: origins.master,
    host_url: origins.host,
    emulator_origin: emulator?.origin ?? null,
  })
  if (firstMaster) {
    process.stdout.write(
      `\nThe first master was created. This is shown once:\n  ${firstMaster.email}\n  ${firstMaster.password}\n\n`,
    )
  }
  stopOnSignal(close, emulator, log)
}

function stopOnSignal(close: () => Promise<void>, emulator: Emulator | null, log: pino.Logger): void {
  let isStopping = false
  const stop = async () => {
    if (isStopping) return
    isStopping = true
    log.info('stopping')
    setTimeout(() => process.exit(1), 9_000).unref()
    await close()
    await emulator?.close()
    process.exit(0)
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => void stop())
  process.on('disconnect', () => void stop()) // started by another program that has ended
}

function isPortTaken(error: unknown): error is Error {
  return error instanceof Error && 'code' in error && (error.code === 'EADDRINUSE' || error.code === 'EACCES')
}
