import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { Kysely, PGliteDialect } from 'kysely'
import type { TestProject } from 'vitest/node'
import { withoutTimeout } from '../../server/db/client.ts'
import { migrate } from '../../server/db/migrate.ts'
import type { Tables } from '../../server/db/tables.ts'
import { startPostgres } from '../servers/postgres.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The source of each test's database: an image of the embedded one, or a template on a PostgreSQL server. */
    database: { image: string } | { server: string; template: string }
  }
}

/** Migrates one database for the whole run; every test file starts from a copy of it. */
export default function setup(project: TestProject): Promise<() => Promise<void>> {
  return project.name === 'postgresql' ? onPostgres(project) : onPGlite(project)
}

async function onPGlite(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-image-'))
  const pglite = await PGlite.create()
  const db = new Kysely<Tables>({ dialect: new PGliteDialect({ pglite }) })
  await migrate(db)
  const image = join(folder, 'migrated.tar')
  await writeFile(image, Buffer.from(await (await pglite.dumpDataDir('none')).arrayBuffer()))
  await db.destroy()
  project.provide('database', { image })
  return () => rm(folder, { recursive: true, force: true })
}

async function onPostgres(project: TestProject): Promise<() => Promise<void>> {
  const server = await startPostgres()
  await withoutTimeout(server.urlOf('template1'), migrate)
  project.provide('database', { server: server.urlOf('postgres'), template: 'template1' })
  return server.stop
}
