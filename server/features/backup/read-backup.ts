import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { access, constants } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { zstdDecompress } from 'node:zlib'
import type { Decrypter } from 'age-encryption'
import { createTarDecoder } from 'modern-tar'
import type { z } from 'zod'
import packageJson from '../../../package.json' with { type: 'json' }
import { compareVersions } from '../../db/installed-version.ts'
import { knownMigrations } from '../../db/migrate.ts'
import { BackupAbout, BackupManifest, FORMAT, PART_BYTES } from './backup-format.ts'
import { BACKUP_TABLES } from './backup-tables.ts'
import { isStoredFile } from './stored-files.ts'
import { RowDigest } from './table-lines.ts'

/** A backup that is not restored, and changes nothing. The message is the reason, in one line, also where a file names it. */
export class NotRestored extends Error {
  constructor(reason: string) {
    super(reason.replaceAll(/\p{C}/gu, '?'))
  }
}

/** Bytes that a part may have when it is unpacked: one row may be longer than a part. */
const LARGEST_PART_BYTES = 32 * PART_BYTES
/** The largest that other entries may be, since they are held in memory. A manifest of 100,000 files has 20 MB. */
const LARGEST_BYTES: Record<string, number> = {
  'about.json': 1024 ** 2,
  'secret.key': 64 * 1024,
  'manifest.json': 256 * 1024 ** 2,
}
const TABLE_PART = /^tables\/([a-z][a-z0-9_]*)\/\d{4,}\.copy\.zst$/
const NO_KEY_FITS = /no identity matched/

export interface BackupEntry {
  name: string
  bytes: number
  body: AsyncGenerator<Uint8Array>
}

export interface CheckedBackup {
  about: BackupAbout
  manifest: BackupManifest
  /** The key of the installation that it was made of; null where it was left out. */
  key: string | null
  rows: number
}

export const tableIn = (entry: string) => TABLE_PART.exec(entry)?.[1] ?? null
export const fileIn = (entry: string) => (entry.startsWith('files/') ? entry.slice('files/'.length) : null)
export const unpackPart = (bytes: Buffer) => promisify(zstdDecompress)(bytes, { maxOutputLength: LARGEST_PART_BYTES })

/** Reads the whole file once, and compares each entry, and the rows of each table, with its digest. Throws NotRestored. */
export async function checkBackup(file: string, decrypter: Decrypter): Promise<CheckedBackup> {
  let about: BackupAbout | null = null
  let manifest: BackupManifest | null = null
  let key: string | null = null
  const entries: BackupManifest['entries'] = []
  const digests = new Map<string, RowDigest>()
  const names = new Set<string>()
  for await (const { name, bytes: size, body } of readEntries(file, decrypter)) {
    const damaged = () => new NotRestored(`${file} is damaged at ${name}`)
    if (manifest || (about === null) !== (name === 'about.json')) throw damaged()
    const table = tableIn(name)
    const isRead = fileIn(name) === null
    if (names.has(name) || size > largestOf(name)) throw damaged()
    names.add(name)
    const sum = createHash('sha256')
    const chunks: Uint8Array[] = []
    let bytes = 0
    for await (const chunk of body) {
      sum.update(chunk)
      bytes += chunk.length
      if (isRead) chunks.push(chunk)
    }
    const content = Buffer.concat(chunks)
    if (name === 'about.json') about = await requireKnown(file, parsed(BackupAbout, content, damaged))
    else if (name === 'manifest.json') manifest = parsed(BackupManifest, content, damaged)
    else if (name === 'secret.key') key = content.toString('utf8').trim()
    else if (table !== null) {
      const digest = digests.get(table) ?? new RowDigest()
      digests.set(table, digest)
      digest.add(await unpackPart(content).catch(() => Promise.reject(damaged())))
    }
    if (!manifest) entries.push({ name, bytes, sha256: sum.digest('hex') })
  }
  if (!about || !manifest) throw new NotRestored(`${file} is damaged at its end: it is cut short`)
  requireSame(file, manifest, entries, digests)
  if (manifest.has_key !== (key !== null)) throw new NotRestored(`${file} is damaged at secret.key`)
  return { about, manifest, key, rows: manifest.tables.reduce((sum, { rows }) => sum + rows, 0) }
}

/** Returns the most bytes of an entry; -1 for one that no backup has. */
function largestOf(name: string): number {
  const path = fileIn(name)
  if (path !== null) return isStoredFile(path) ? Number.POSITIVE_INFINITY : -1
  return tableIn(name) === null ? (LARGEST_BYTES[name] ?? -1) : LARGEST_PART_BYTES
}

/** Reads the entries of a backup, one after the other. Each has to be read to its end, or left. Throws NotRestored. */
export async function* readEntries(file: string, decrypter: Decrypter): AsyncGenerator<BackupEntry> {
  await access(file, constants.R_OK).catch((error: NodeJS.ErrnoException) => {
    throw new NotRestored(`${file} cannot be read (${error.code})`)
  })
  let at = 'its beginning'
  const orDamaged = async <T>(reading: Promise<T>): Promise<T> => {
    try {
      return await reading
    } catch (error) {
      if (NO_KEY_FITS.test(String(error)))
        throw new NotRestored(`${file} cannot be decrypted with this key or passphrase`)
      throw new NotRestored(`${file} is damaged at ${at}`)
    }
  }
  const input = createReadStream(file)
  const chunks: AsyncIterator<Uint8Array> = input.iterator()
  const encrypted = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await chunks.next()
      if (done) controller.close()
      else controller.enqueue(value)
    },
  })
  try {
    const tar = await orDamaged(decrypter.decrypt(encrypted))
    const entries = tar.pipeThrough(createTarDecoder({ strict: true })).getReader()
    for (;;) {
      const { done, value } = await orDamaged(entries.read())
      if (done) return
      at = value.header.name
      if (value.header.type !== 'file') throw new NotRestored(`${file} is damaged at ${at}`)
      yield { name: at, bytes: value.header.size, body: bodyOf(value.body) }
    }
  } finally {
    input.destroy()
  }

  async function* bodyOf(body: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
    const reader = body.getReader()
    for (;;) {
      const { done, value } = await orDamaged(reader.read())
      if (done) return
      yield value
    }
  }
}

export const readWhole = (body: AsyncGenerator<Uint8Array>): Promise<Buffer> => buffer(Readable.from(body))

async function requireKnown(file: string, about: BackupAbout): Promise<BackupAbout> {
  const { version: own } = packageJson
  const known = new Set(await knownMigrations())
  const isNewer = about.format > FORMAT || compareVersions(about.version, own) > 0
  if (isNewer || about.migrations.some((name) => !known.has(name)))
    throw new NotRestored(`${file} was made by a newer Parley (${about.version}); this is ${own}`)
  return about
}

/** Names the first entry that differs from what the manifest lists, which may list no tables but those of a backup. */
function requireSame(
  file: string,
  { entries: listed, tables, sequences }: BackupManifest,
  entries: BackupManifest['entries'],
  digests: Map<string, RowDigest>,
): void {
  const damagedAt = (name: string) => new NotRestored(`${file} is damaged at ${name}`)
  for (const [at, entry] of entries.entries()) {
    const expected = listed[at]
    if (JSON.stringify(entry) !== JSON.stringify(expected)) throw damagedAt(entry.name)
  }
  if (listed.length !== entries.length) throw damagedAt(listed[entries.length]?.name ?? 'manifest.json')
  for (const { name, rows, digest } of tables) {
    const found = digests.get(name) ?? new RowDigest()
    if (found.rows !== rows || String(found) !== digest) throw damagedAt(`tables/${name}`)
  }
  const known = new Set(tables.map(({ name }) => name))
  const others = [...known, ...sequences.map(({ table }) => table)].filter((name) => !BACKUP_TABLES.includes(name))
  if (others.length > 0 || known.size !== tables.length) throw damagedAt('manifest.json') // a restore empties them first
  for (const name of digests.keys()) if (!known.has(name)) throw damagedAt(`tables/${name}`)
}

function parsed<T>(schema: z.ZodType<T>, content: Buffer, damaged: () => Error): T {
  try {
    return schema.parse(JSON.parse(content.toString('utf8')))
  } catch {
    throw damaged()
  }
}
