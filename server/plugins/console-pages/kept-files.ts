import { createHash, randomUUID } from 'node:crypto'
import { lstat, mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { FastifyBaseLogger } from 'fastify'
import { DAY_MS } from '../../../shared/dates.ts'
import type { Secrets } from '../../lib/secrets.ts'

export const CONSOLE_BUILD_DIR = new URL('../../../web/dist/', import.meta.url).pathname

/** Files are kept this long after the last start of a server with them. */
const KEPT_MS = 180 * DAY_MS
const LARGEST = 16 * 1024 ** 2

const TYPES: Record<string, string> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
  woff2: 'font/woff2',
  avif: 'image/avif',
  webp: 'image/webp',
}
/** Matches the build's names, which contain a hash of the content. */
const HASHED = new RegExp(`^[\\w-]+-[\\w-]{8}\\.(${Object.keys(TYPES).join('|')})$`)
const CODINGS = [
  { coding: 'br', ending: '.br' },
  { coding: 'gzip', ending: '.gz' },
]

/** Returns the folder of console files, of all releases that servers with this data folder have started with. */
const filesIn = (dataDir: string) => join(dataDir, 'console/assets')
/** Returns the folder of signatures. Who can only write to a shared folder has no key, and cannot add code. */
const sealsIn = (dataDir: string) => join(dataDir, 'console/seals')

const sealed = (name: string, content: Buffer) => `${name} ${createHash('sha256').update(content).digest('base64url')}`

/**
 * Adds the hashed files of this release. During an update a page of one release loads them from servers of both, and a
 * page that stays open loads more of them later.
 */
export async function keepFiles(built: string, dataDir: string, secrets: Secrets, now: number): Promise<void> {
  const [from, to, seals] = [join(built, 'assets'), filesIn(dataDir), sealsIn(dataDir)]
  for (const folder of [to, seals]) await mkdir(folder, { recursive: true, mode: 0o700 })
  const builtFiles = await readdir(from).catch(() => []) // not built
  const addOrRenew = async (name: string) => {
    const content = await readFile(join(from, name))
    const kept = await readFile(join(to, name)).catch(() => null)
    await writeWhole(join(seals, name), secrets.sign('console-files', sealed(name, content)))
    if (!kept?.equals(content)) await writeWhole(join(to, name), content)
    await utimes(join(to, name), now / 1_000, now / 1_000)
  }
  const removeOld = async (name: string) => {
    const found = await stat(join(to, name)).catch(() => null) // another server has just finished or removed it
    if (!found || found.mtimeMs >= now - KEPT_MS) return
    for (const folder of [to, seals]) await rm(join(folder, name), { force: true })
  }
  for (const name of builtFiles) await addOrRenew(name)
  await Promise.all([...new Set(await readdir(to)).difference(new Set(builtFiles))].map(removeOld))
}

/** Removes the files, which no server with another key would serve. */
export const forgetFiles = (dataDir: string) => rm(join(dataDir, 'console'), { recursive: true, force: true })

/** Writes atomically, because another server may read or write the file meanwhile. */
async function writeWhole(path: string, content: string | Buffer): Promise<void> {
  const unfinished = `${path}.${randomUUID()}`
  await writeFile(unfinished, content, { mode: 0o600 })
  await rename(unfinished, path)
}

interface KeptFile {
  content: Buffer
  type: string
  coding?: string
}

/** Reads only files that servers of this installation have written. */
export class KeptFiles {
  readonly #dataDir: string
  readonly #secrets: Secrets
  readonly #log: FastifyBaseLogger
  readonly #refused = new Set<string>()
  /** The last content read of each file, as long as it is still being sent. */
  readonly #sent = new Map<string, WeakRef<Buffer>>()

  constructor(dataDir: string, secrets: Secrets, log: FastifyBaseLogger) {
    this.#dataDir = dataDir
    this.#secrets = secrets
    this.#log = log
  }

  /** Returns null if the file is missing, or is not the one that a server wrote. */
  async read(name: string, acceptedCodings: string): Promise<KeptFile | null> {
    const [, ending = ''] = HASHED.exec(name) ?? []
    const type = TYPES[ending]
    if (!type) return null
    for (const { coding, ending } of CODINGS) {
      if (!new RegExp(`\\b${coding}\\b`).test(acceptedCodings)) continue
      const content = await this.#readSealed(name + ending)
      if (content) return { content, type, coding }
    }
    const content = await this.#readSealed(name)
    return content && { content, type }
  }

  /** Verifies the signature at each read, because a file may be replaced at any time. */
  async #readSealed(name: string): Promise<Buffer | null> {
    const path = join(filesIn(this.#dataDir), name)
    const found = await lstat(path).catch(() => null)
    if (!found) return null
    const isReadable = found.isFile() && found.size <= LARGEST
    const content = isReadable ? await readFile(path).catch(() => null) : null
    const seal = await readFile(join(sealsIn(this.#dataDir), name), 'utf8').catch(() => '')
    if (content && this.#secrets.verify('console-files', sealed(name, content), seal)) return this.#share(name, content)
    if (!this.#refused.has(name)) this.#log.warn({ file: name }, 'console.file_refused')
    this.#refused.add(name)
    return null
  }

  /** Returns the buffer of an earlier read that is still being sent, so that many readers cost no more than one. */
  #share(name: string, content: Buffer): Buffer {
    const earlier = this.#sent.get(name)?.deref()
    if (earlier?.equals(content)) return earlier
    this.#sent.set(name, new WeakRef(content))
    return content
  }
}
