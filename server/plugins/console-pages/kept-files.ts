import { randomUUID } from 'node:crypto'
import { copyFile, mkdir, readdir, rename, rm, stat, utimes } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { DAY_MS } from '../../../shared/dates.ts'

export const BUILT = new URL('../../../web/dist/', import.meta.url).pathname

/** Since a server last started with them. */
const KEPT_MS = 180 * DAY_MS

/** Files of the console of all releases that servers with this folder have started with. Absolute, as @fastify/static asks. */
export const keptFilesIn = (dataDir: string) => resolve(dataDir, 'console')

/**
 * Adds the hashed files of this release. During an update a page of one release loads them from servers of both, and one
 * that stays open loads more of them later.
 */
export async function keepFiles(built: string, dataDir: string, now: number): Promise<void> {
  const [from, to] = [join(built, 'assets'), join(keptFilesIn(dataDir), 'assets')]
  await mkdir(to, { recursive: true })
  const own = await readdir(from).catch(() => []) // it is not built
  const kept = new Set(await readdir(to))
  const addOrRenew = async (name: string) => {
    if (!kept.has(name)) await copyWhole(join(from, name), join(to, name))
    await utimes(join(to, name), now / 1_000, now / 1_000)
  }
  const removeOld = async (name: string) => {
    const found = await stat(join(to, name)).catch(() => null) // another server has just finished or removed it
    if (found && found.mtimeMs < now - KEPT_MS) await rm(join(to, name), { force: true })
  }
  await Promise.all(own.map(addOrRenew))
  await Promise.all([...kept.difference(new Set(own))].map(removeOld))
}

/** Another server may read it meanwhile, or copy it too. */
async function copyWhole(from: string, to: string): Promise<void> {
  const unfinished = `${to}.${randomUUID()}`
  await copyFile(from, unfinished)
  await rename(unfinished, to)
}
