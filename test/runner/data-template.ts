import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openEmbedded } from '../../server/db/embedded.ts'
import { migrate } from '../../server/db/migrate.ts'
import { TEMPLATE_VARIABLE } from '../servers/server-process.ts'

/** Creates the data folder that the servers of this run copy. */
export default async function setup(): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-template-'))
  const db = await openEmbedded(folder, { restore: false, print: () => {}, onPanic: () => {} })
  await migrate(db)
  await db.destroy()
  process.env[TEMPLATE_VARIABLE] = folder
  return () => rm(folder, { recursive: true, force: true })
}
