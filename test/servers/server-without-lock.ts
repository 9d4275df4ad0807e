import { pino } from 'pino'
import { readConfig } from '../../server/config.ts'
import { openPostgres, withoutTimeout } from '../../server/db/client.ts'
import { migrate } from '../../server/db/migrate.ts'
import { startServer } from '../../server/start.ts'

/** Runs a server on PostgreSQL without the lock against a shared database. */
const config = readConfig(process.env)
await withoutTimeout(config.DATABASE_URL ?? '', migrate)
const db = openPostgres(config.DATABASE_URL ?? '')
const { app, close } = await startServer(config, db, pino({ level: config.LOG_LEVEL }))
await app.listen({ port: config.PORT, host: config.BIND })
process.on('disconnect', () => process.exit())
process.on('SIGTERM', () => void stop())
process.send?.({ type: 'ready', public_url: '', master_url: '', host_url: '', phone_url: '', emulator_origin: null })

async function stop(): Promise<void> {
  await close()
  await db.destroy()
  process.exit()
}
