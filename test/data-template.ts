import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { migrate } from '../server/db/migrate.ts'
import { openDataDir } from '../server/db/snapshots/open-data-dir.ts'
import { TEMPLATE_VARIABLE } from './server-process.ts'

/** Makes a data folder that servers of this run start on a copy of. */
export default async function setup(): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-template-'))
  const db = await openDataDir(folder, { restore: false, ask: null, say: () => {} })
  await migrate(db)
  await db.destroy()
  process.env[TEMPLATE_VARIABLE] = folder
  return () => rm(folder, { recursive: true, force: true })
}
