import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { DatabaseDamaged, type Db, openFolder } from '../client.ts'
import { openChecked } from './checked-database.ts'
import { createDatabase } from './empty-database.ts'
import { isEmpty, prepareRestore } from './restore.ts'
import { listSnapshots, noneIfMissing, removeUnfinished } from './snapshot-files.ts'

/** The database cannot be opened, and nobody has said that a snapshot may take its place: one line that says so. */
export class CannotOpen extends Error {}

export interface Choice {
  /** `--restore-snapshot` was given. */
  restore: boolean
  /** Asks whoever started the server; null where nobody can be asked. */
  ask: ((question: string) => Promise<boolean>) | null
  say(line: string): void
}

/**
 * Opens the embedded database of a data folder whose lock the caller holds, and makes one where there never was one.
 * One that does not open is never replaced without being told to, and never deleted.
 */
export async function openDataDir(dataDir: string, choice: Choice): Promise<Db> {
  const folder = join(dataDir, 'pglite')
  await removeUnfinished(dataDir)
  if (isEmpty(folder) && !(await hadDatabase(dataDir))) await createDatabase(folder)
  try {
    const db = await (isEmpty(folder)
      ? Promise.reject(new DatabaseDamaged('pglite is missing'))
      : openChecked(folder, choice.say))
    if (choice.restore) choice.say(`The database in ${dataDir} opens, so no snapshot was restored.`)
    return db
  } catch (error) {
    if (!(error instanceof DatabaseDamaged)) throw error
    await restoreOrRefuse(dataDir, error.message, choice)
    const db = await openFolder(folder) // looked at a moment ago
    await endSessions(db)
    return db
  }
}

/** The snapshot may hold sessions that were ended after it was taken, and passwords that were changed. */
async function endSessions(db: Db): Promise<void> {
  const { rows } =
    await sql`select to_regclass('sessions') as sessions where to_regclass('sessions') is not null`.execute(db)
  if (rows.length > 0)
    await sql`update sessions set ended_at = now(), end_reason = 'restored' where ended_at is null`.execute(db)
}

async function hadDatabase(dataDir: string): Promise<boolean> {
  const names = await readdir(dataDir).catch(noneIfMissing)
  return names.some((name) => name.startsWith('pglite.damaged-')) || (await listSnapshots(dataDir)).length > 0
}

async function restoreOrRefuse(dataDir: string, reason: string, { restore, ask, say }: Choice): Promise<void> {
  const trouble = `The database in ${dataDir} cannot be opened (${reason}).`
  const found = await prepareRestore(dataDir)
  if (!found) {
    throw new CannotOpen(`${trouble} There is no snapshot of it that opens; its files were left as they are.`)
  }

  const of = `the snapshot of ${found.snapshot.takenAt.toISOString().slice(0, 16).replace('T', ' ')} UTC`
  const isWanted = restore || (await ask?.(`${trouble} Restore ${of}? What was changed after it is lost. [y/N] `))
  if (!isWanted) {
    await found.forget()
    const how = 'npm start -- --restore-snapshot'
    throw new CannotOpen(
      ask
        ? `Nothing was changed. To restore ${of} later: ${how}`
        : `${trouble} To restore ${of}, start with --restore-snapshot (${how}); what was changed after it is lost.`,
    )
  }
  const kept = await found.restore()
  say(`${trouble} Restored ${of}.${kept ? ` The damaged database was kept as ${kept}.` : ''}`)
}
