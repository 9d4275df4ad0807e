import { open, rename, rm } from 'node:fs/promises'
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

/** Forces a file to the disk, or the names in a folder. */
export async function syncPath(path: string): Promise<void> {
  const opened = await open(path, 'r')
  try {
    await opened.sync()
  } finally {
    await opened.close()
  }
}
