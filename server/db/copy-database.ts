import { cp, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import type { Db } from './client.ts'

/** Left to the database's own files: a checkpoint that cannot write ends the database, as does a full write-ahead log. */
const RESERVED_BYTES = 64 * 1024 ** 2

interface Options {
  dataDir: string
  db: Db
  /** Returns how many bytes the disk of a folder has left. */
  measureRoom: (folder: string) => Promise<number>
}

/** Copies the folder of the open embedded database, as it is at one moment. Throws where the disk has no room for it. */
export async function copyDatabase({ dataDir, db, measureRoom }: Options, copy: string): Promise<void> {
  const requireRoom = async (bytes: number) => {
    const room = await measureRoom(dataDir)
    if (room < bytes) throw new Error(`A snapshot needs ${inMb(bytes)} MB of free disk; there are ${inMb(room)} MB`)
  }
  // PGlite runs one transaction at a time, so nothing else writes during this one.
  await db.transaction().execute(async (tx) => {
    await requireRoom(RESERVED_BYTES)
    await sql`checkpoint`.execute(tx) // also where the copy has no room: it recycles the write-ahead log
    const folder = join(dataDir, 'pglite')
    await requireRoom(RESERVED_BYTES + (await sizeOf(folder)))
    await cp(folder, copy, { recursive: true })
  })
}

const inMb = (bytes: number) => Math.round(bytes / 1024 ** 2)

async function sizeOf(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile())
  const sizes = await Promise.all(files.map(async ({ parentPath, name }) => (await stat(join(parentPath, name))).size))
  return sizes.reduce((sum, size) => sum + size, 0)
}
