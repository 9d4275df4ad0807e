import { statfs } from 'node:fs/promises'

/** Returns how many bytes the disk of a folder has left for this user. */
export async function measureRoom(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder)
  return bavail * bsize
}
