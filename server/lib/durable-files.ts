import { type FileHandle, open, rename, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { randomToken } from './secrets.ts'

/** Gives a file this content, forced to the disk, or leaves it as it is. Only its owner may read it. */
export async function writeDurably(path: string, content: string): Promise<void> {
  const draft = `${path}.${randomToken(6)}`
  try {
    const file = await open(draft, 'wx', 0o600)
    try {
      await file.writeFile(content)
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(draft, path)
  } catch (error) {
    await rm(draft, { force: true })
    throw error
  }
  await syncPath(dirname(path))
}

/**
 * Writes a new file as PATH.part, forces it to the disk, and gives it its name once it is whole. Otherwise it leaves nothing
 * behind; what a killed run has left is overwritten. Only its owner may read it.
 */
export async function writeWhole<T>(path: string, write: (file: FileHandle) => Promise<T>): Promise<T> {
  const part = `${path}.part`
  await rm(part, { force: true }) // of a killed run
  const file = await open(part, 'wx', 0o600)
  const isOurs = async () => {
    const [written, named] = await Promise.all([file.stat(), stat(part).catch(() => null)])
    return written.ino === named?.ino
  }
  try {
    const result = await write(file)
    await file.sync()
    if (!(await isOurs())) throw new Error('another run writes the same file')
    await rename(part, path)
    await syncPath(dirname(path)) // including the new name
    return result
  } catch (error) {
    if (await isOurs()) await rm(part, { force: true })
    throw error
  } finally {
    await file.close()
  }
}

/** Forces a file to the disk, or the names in a folder. */
export async function syncPath(path: string): Promise<void> {
  const opened = await open(path, 'r')
  try {
    await opened.sync()
  } finally {
    await opened.close()
  }
}
