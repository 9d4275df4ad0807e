import { rm } from 'node:fs/promises'
import { workerData } from 'node:worker_threads'
import { PGlite } from '@electric-sql/pglite'
import { z } from 'zod'
import { openFolder, readEveryTable } from './embedded.ts'
import { publishSnapshot, readSnapshot, writeSnapshot } from './snapshot-files.ts'

/** Makes a snapshot from a copy of the database's folder, and proves it by opening and reading a scratch database. */
const { copy, path } = z.object({ copy: z.string(), path: z.string() }).parse(workerData)

const database = await PGlite.create(copy)
const tar = await database.dumpDataDir('none')
await database.close()
await rm(copy, { recursive: true })
await writeSnapshot(path, tar)

const scratch = await openFolder('memory://', { loadDataDir: await readSnapshot(`${path}.part`) })
await readEveryTable(scratch)
await scratch.destroy()
await publishSnapshot(path)
