import { createHash } from 'node:crypto'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { promisify } from 'node:util'
import { constants, zstdCompress } from 'node:zlib'
import { sql } from 'kysely'
import { createTarPacker, type TarPackController } from 'modern-tar'
import packageJson from '../../../package.json' with { type: 'json' }
import type { Db, Tx } from '../../db/client.ts'
import { writeWhole } from '../../lib/durable-files.ts'
import { type BackupAbout, type BackupManifest, type BackupTable, FORMAT, partName } from './backup-format.ts'
import { BACKUP_TABLES } from './backup-tables.ts'
import type { CopyableDatabase } from './copyable-database.ts'
import type { Encryption } from './encryption.ts'
import { columnsOf, sequencesOf } from './filled-tables.ts'
import { isStoredFile, listFiles } from './stored-files.ts'
import { RowDigest, wholeLines } from './table-lines.ts'

export interface BackupSource {
  database: CopyableDatabase
  dataDir: string
  /** Null to leave it out. */
  secretKey: string | null
  madeAt: Date
  /** Returns those of these files that the database still names, now. */
  findListed(paths: string[]): Promise<string[]>
}

export interface BackupSummary {
  tables: number
  rows: number
  files: number
  bytes: number
  gone: number
}

/** Writes a backup that is whole, or nothing. */
export async function writeBackup(
  file: string,
  source: BackupSource,
  { encrypter }: Encryption,
): Promise<BackupSummary> {
  return writeWhole(file, async (handle) => {
    const { readable, controller } = createTarPacker()
    const encrypted = await encrypter.encrypt(readable)
    const packing = pack(controller, source).catch((error: unknown) => {
      controller.error(error)
      throw error
    })
    const [manifest] = await Promise.all([packing, handle.writeFile(encrypted)]).catch(async (error: unknown) => {
      await packing.catch(() => {}) // it still reads from the database
      throw error
    })
    const { size: bytes } = await handle.stat()
    const { tables, files, gone } = manifest
    const rows = tables.reduce((sum, table) => sum + table.rows, 0)
    return { tables: tables.length, rows, files, bytes, gone: gone.length }
  })
}

async function pack(controller: TarPackController, source: BackupSource): Promise<BackupManifest> {
  const entries: BackupManifest['entries'] = []
  const add = async (name: string, size: number, chunks: Iterable<Uint8Array> | AsyncIterable<Uint8Array>) => {
    const writer = controller.add({ name, size, mode: 0o600, mtime: source.madeAt }).getWriter()
    const sum = createHash('sha256')
    for await (const chunk of chunks) {
      sum.update(chunk)
      await writer.write(chunk)
    }
    await writer.close()
    entries.push({ name, bytes: size, sha256: sum.digest('hex') })
  }
  const addText = (name: string, text: string) => {
    const bytes = Buffer.from(text)
    return add(name, bytes.length, [bytes])
  }
  const { database, dataDir, secretKey, madeAt } = source
  const about: BackupAbout = {
    format: FORMAT,
    version: packageJson.version,
    made_at: madeAt.toISOString(),
    engine: database.engine,
    migrations: await migrationsOf(database.db),
  }
  await addText('about.json', asText(about))
  const sequences = await sequencesOf(database.db, BACKUP_TABLES)
  const tables: BackupTable[] = []
  for (const name of BACKUP_TABLES) tables.push(await packTable(database, name, add))
  const listed = await listFiles(database.db)
  const missing: string[] = []
  for (const file of listed) {
    const addFile: AddFile = (size, chunks) => add(`files/${file.path}`, size, chunks)
    const isPacked = isStoredFile(file.path) && (await packFile(join(dataDir, file.path), file.bytes, addFile))
    if (!isPacked) missing.push(file.path)
  }
  const [lost] = missing.length === 0 ? [] : await source.findListed(missing)
  if (lost) throw new Error(`${join(dataDir, lost)} is missing, or not as long as it was`)
  if (secretKey !== null) await addText('secret.key', `${secretKey}\n`)
  const files = listed.length - missing.length
  const manifest = { format: FORMAT, tables, sequences, files, has_key: secretKey !== null, gone: missing, entries }
  await addText('manifest.json', asText({ ...manifest, entries: [...entries] }))
  controller.finalize()
  return { ...manifest, format: FORMAT }
}

type AddEntry = (name: string, size: number, chunks: Iterable<Uint8Array> | AsyncIterable<Uint8Array>) => Promise<void>
type AddFile = (size: number, chunks: AsyncIterable<Uint8Array>) => Promise<void>

async function packTable(database: CopyableDatabase, name: string, add: AddEntry): Promise<BackupTable> {
  const columns = await columnsOf(database.db, name)
  const digest = new RowDigest()
  let parts = 0
  for await (const lines of wholeLines(database.copyOut(name, columns))) {
    digest.add(lines)
    const bytes = await promisify(zstdCompress)(lines, { params: { [constants.ZSTD_c_checksumFlag]: 1 } })
    await add(partName(name, ++parts), bytes.length, [bytes])
  }
  return { name, columns, parts, rows: digest.rows, digest: String(digest) }
}

/** Returns false, and adds nothing, if there is no such file, or one of another size. */
async function packFile(path: string, bytes: number | null, add: AddFile): Promise<boolean> {
  const handle = await open(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return null
    throw error
  })
  if (!handle) return false
  try {
    const { size } = await handle.stat()
    if (bytes !== null && size !== bytes) return false
    const chunks =
      size === 0 ? Readable.from([]) : handle.createReadStream({ start: 0, end: size - 1, autoClose: false })
    await add(size, chunks)
    return true
  } finally {
    await handle.close()
  }
}

async function migrationsOf(db: Db | Tx): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`select name from migrations order by name`.execute(db)
  return rows.map(({ name }) => name)
}

const asText = (value: unknown) => `${JSON.stringify(value, null, 1)}\n`
