import { rm } from 'node:fs/promises'
import { workerData } from 'node:worker_threads'
import { PGlite } from '@electric-sql/pglite'
import { Kysely, PGliteDialect } from 'kysely'
import { z } from 'zod'
import { readEveryTable } from './embedded.ts'
import { publishSnapshot, readSnapshot, writeSnapshot } from './snapshot-files.ts'
import type { Tables } from './tables.ts'

/** Makes a snapshot of a copy of the database's folder, and proves it: a scratch database opens from it and is read. */
const { copy, path } = z.object({ copy: z.string(), path: z.string() }).parse(workerData)

const database = await PGlite.create(copy)
const tar = await database.dumpDataDir('none')
await database.close()
await rm(copy, { recursive: true })
await writeSnapshot(path, tar)

const scratch = await PGlite.create({ loadDataDir: await readSnapshot(`${path}.part`) })
const db = new Kysely<Tables>({ dialect: new PGliteDialect({ pglite: scratch }) })
await readEveryTable(db)
await db.destroy()
await publishSnapshot(path)
