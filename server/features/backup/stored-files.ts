import { anyOf } from '../../db/any-of.ts'
import type { Db, Tx } from '../../db/client.ts'

interface StoredFile {
  /** Relative to DATA_DIR. */
  path: string
  /** Null where the database does not know it. */
  bytes: number | null
}

/** Paths as Parley makes them. Nothing else is read into a backup, or written from one. */
const STORED = /^(archive\/[0-9a-f-]{36}\/[0-9a-f-]{36}\.[a-z0-9]{1,8}|logos\/[0-9a-f]{32}\.(png|jpg|webp))$/

export const isStoredFile = (path: string) => STORED.test(path)

/** Lists the archived recordings and the uploaded logos. */
export async function listFiles(db: Db | Tx): Promise<StoredFile[]> {
  const recordings = await db
    .selectFrom('recordings')
    .select(['archived_path', 'archived_bytes'])
    .where('archived_path', 'is not', null)
    .orderBy('archived_path')
    .execute()
  const logos = await db
    .selectFrom('app_info')
    .select('logo_url')
    .distinct()
    .where('logo_url', 'like', '/logos/%')
    .orderBy('logo_url')
    .execute()
  return [
    ...recordings.map(({ archived_path, archived_bytes }) => ({ path: archived_path ?? '', bytes: archived_bytes })),
    ...logos.map(({ logo_url }) => ({ path: (logo_url ?? '').slice(1), bytes: null })),
  ]
}

/** Returns those of these paths that the database names. */
export async function findListedFiles(db: Db, paths: string[]): Promise<string[]> {
  const recordings = await db
    .selectFrom('recordings')
    .select('archived_path')
    .where('archived_path', '=', anyOf(paths, 'text'))
    .execute()
  const logos = await db
    .selectFrom('app_info')
    .select('logo_url')
    .where(
      'logo_url',
      '=',
      anyOf(
        paths.map((path) => `/${path}`),
        'text',
      ),
    )
    .execute()
  return [...recordings.map((row) => row.archived_path ?? ''), ...logos.map((row) => (row.logo_url ?? '').slice(1))]
}
