import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { copyFile, mkdir, open, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'

/**
 * Files of a backup, written beside those in use, and moved to their places together. A file has a name that no other content
 * ever had, so the files of the installation before stay, and those that are there already are left as they are.
 */
export class StagedFiles {
  readonly #dataDir: string
  readonly #folder: string
  readonly #staged: string[] = []

  constructor(dataDir: string, folder: string) {
    this.#dataDir = dataDir
    this.#folder = folder
  }

  async add(path: string, body: AsyncIterable<Uint8Array>): Promise<void> {
    const staged = join(this.#folder, path)
    await mkdir(dirname(staged), { recursive: true, mode: 0o700 })
    const file = await open(staged, 'w', 0o600)
    try {
      await file.writeFile(body) // a disk that is almost full takes less than is written, and `write` only says so
      await file.sync()
    } finally {
      await file.close()
    }
    if (await isSame(staged, join(this.#dataDir, path))) await rm(staged)
    else this.#staged.push(path)
  }

  async move(): Promise<void> {
    for (const path of this.#staged) {
      const place = join(this.#dataDir, path)
      await mkdir(dirname(place), { recursive: true, mode: 0o700 })
      await moveFile(join(this.#folder, path), place)
    }
  }
}

/** The folder of a kind of file may be on a disk of its own. */
async function moveFile(from: string, to: string): Promise<void> {
  try {
    await rename(from, to)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EXDEV')) throw error
    const beside = `${to}.part`
    await copyFile(from, beside)
    const copy = await open(beside, 'r+')
    await copy.sync().finally(() => copy.close())
    await rename(beside, to)
    await rm(from)
  }
}

async function isSame(one: string, other: string): Promise<boolean> {
  const [size, otherSize] = await Promise.all([one, other].map(sizeOf))
  return size !== null && size === otherSize && (await hashOf(one)) === (await hashOf(other))
}

const sizeOf = (path: string) =>
  stat(path).then(
    ({ size }) => size,
    () => null,
  )

async function hashOf(path: string): Promise<string> {
  const sum = createHash('sha256')
  await pipeline(createReadStream(path), sum)
  return sum.digest('hex')
}
