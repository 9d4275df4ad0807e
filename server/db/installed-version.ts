import { sql } from 'kysely'
import packageJson from '../../package.json' with { type: 'json' }
import type { Db, Tx } from './client.ts'

const { version: OWN } = packageJson
/** The oldest release whose database this one updates; null for any. */
const FOLLOWS: string | null = null

export class OlderDatabase extends Error {
  constructor(version: string, follows: string, own: string) {
    super(`This database was last used by Parley ${version}; install ${follows} first, then ${own}.`)
  }
}

/** Returns the release that used the database last; null before the first start, and for one that did not write it. */
export async function readInstalledVersion(db: Db | Tx): Promise<string | null> {
  const found = await sql<{ is_there: boolean }>`select to_regclass('installation') is not null as is_there`.execute(db)
  if (!found.rows[0]?.is_there) return null
  // As JSON, since the column may not be there yet.
  const { rows } = await sql<{ version: string | null }>`
    select to_jsonb(installation) ->> 'version' as version from installation`.execute(db)
  return rows[0]?.version ?? null
}

/** Call before the database is migrated. Throws OlderDatabase, and changes nothing. */
export async function requireUpdatable(db: Db | Tx, follows = FOLLOWS, own = OWN): Promise<void> {
  const installed = await readInstalledVersion(db)
  if (installed && follows && compareVersions(installed, follows) < 0) throw new OlderDatabase(installed, follows, own)
}

/** Call once the database is migrated. Servers of one release may do so together. */
export async function recordVersion(db: Db, now: Date, own = OWN): Promise<void> {
  await db
    .updateTable('installation')
    .set((eb) => ({ version: own, previous_version: eb.ref('version'), updated_at: now }))
    .where('version', 'is distinct from', own)
    .execute()
}

/** Compares the three numbers of releases such as 0.10.2. */
export function compareVersions(one: string, other: string): number {
  const numbersOf = (version: string) => version.split(/[.-]/).slice(0, 3).map(Number)
  const others = numbersOf(other)
  for (const [at, number] of numbersOf(one).entries()) {
    const difference = number - (others[at] ?? 0)
    if (difference !== 0) return difference
  }
  return 0
}
