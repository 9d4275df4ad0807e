import { readFileSync } from 'node:fs'
import { mkdir, rename, rm } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import { openFolder } from '../client.ts'
import { readArchive, settleArchive, writeArchive } from './archive.ts'

/**
 * Makes a new, empty database, whole or not at all. PGlite needs about 3 s for that, so the first one is kept beside
 * the installed packages, where a new installation clears it away, and unpacked from then on.
 */
export async function createDatabase(folder: string, image = defaultImage()): Promise<void> {
  const unfinished = `${folder}.new`
  await rm(unfinished, { recursive: true, force: true })
  const isCopied = await readArchive(image, unfinished).then(
    () => true,
    () => false,
  )
  if (!isCopied) await initialise(unfinished, image)
  await rename(unfinished, folder)
}

async function initialise(folder: string, image: string): Promise<void> {
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { mode: 0o700 }) // PGlite lets everybody read its files
  const db = await openFolder(folder)
  await db.destroy()
  try {
    const unfinished = `${image}.${process.pid}.part` // another start may be making the same
    await writeArchive(folder, unfinished)
    await settleArchive(unfinished, image)
  } catch {
    // The packages may belong to somebody else: then each first start makes its own.
  }
}

function defaultImage(): string {
  const packages = new URL('../../../node_modules/', import.meta.url)
  const about = readFileSync(new URL('@electric-sql/pglite/package.json', packages), 'utf8')
  const { version } = z.object({ version: z.string() }).parse(JSON.parse(about))
  return fileURLToPath(new URL(`.cache/parley/empty-database-${version}.tar.zst`, packages))
}
