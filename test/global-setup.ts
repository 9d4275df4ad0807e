import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { Kysely, PGliteDialect } from 'kysely'
import type { TestProject } from 'vitest/node'
import { migrate } from '../server/migrate.ts'
import type { Tables } from '../server/tables.ts'

declare module 'vitest' {
  interface ProvidedContext {
    databaseImage: string
  }
}

/** Migrates one database for the whole run; every test file starts from its image. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-image-'))
  const pglite = await PGlite.create()
  const db = new Kysely<Tables>({ dialect: new PGliteDialect({ pglite }) })
  await migrate(db)
  const image = await pglite.dumpDataDir('none')
  const path = join(folder, 'migrated.tar')
  await writeFile(path, Buffer.from(await image.arrayBuffer()))
  await db.destroy()
  project.provide('databaseImage', path)
  return () => rm(folder, { recursive: true, force: true })
}
