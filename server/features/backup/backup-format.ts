import { z } from 'zod'

/** The number of the format. A later one is refused by name. */
export const FORMAT = 1
/** Bytes of a part of a table, before compression. A longer row is a part of its own. */
export const PART_BYTES = 8 * 1024 ** 2

const identifier = z.string().regex(/^[a-z][a-z0-9_]*$/)
const sha256 = z.string().regex(/^[0-9a-f]{64}$/)

/** The first entry, `about.json`. */
export const BackupAbout = z.object({
  format: z.number().int(),
  version: z.string().regex(/^[\w.+-]{1,64}$/),
  made_at: z.iso.datetime(),
  engine: z.enum(['pglite', 'postgresql']),
  migrations: z.array(z.string()).min(1),
})
export type BackupAbout = z.infer<typeof BackupAbout>

/** A table's rows are the lines of its parts. Its digest is the sum of their SHA-256, modulo 2^256, in any order. */
const BackupTable = z.object({
  name: identifier,
  columns: z.array(identifier).min(1),
  parts: z.number().int().min(0),
  rows: z.number().int().min(0),
  digest: sha256,
})
export type BackupTable = z.infer<typeof BackupTable>

/** A sequence goes on from its last number, so that the number of a deleted row is not given again. */
const BackupSequence = z.object({ table: identifier, column: identifier, last: z.number().int().nullable() })
export type BackupSequence = z.infer<typeof BackupSequence>

/** The last entry, `manifest.json`. Without it the file is cut short. */
export const BackupManifest = z.object({
  format: z.literal(FORMAT),
  tables: z.array(BackupTable),
  sequences: z.array(BackupSequence),
  files: z.number().int(),
  has_key: z.boolean(),
  /** Paths of files whose rows were deleted while the backup was made. */
  gone: z.array(z.string()),
  /** All entries before this one, in their order. */
  entries: z.array(z.object({ name: z.string(), bytes: z.number().int().min(0), sha256 })),
})
export type BackupManifest = z.infer<typeof BackupManifest>

export const partName = (table: string, part: number) => `tables/${table}/${String(part).padStart(4, '0')}.copy.zst`
