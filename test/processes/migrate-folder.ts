import { pathToFileURL } from 'node:url'
import { openFolder } from '../../server/db/embedded.ts'
import { migrate } from '../../server/db/migrate.ts'

/** Migrates a database folder with a folder of migrations, and reports the applied ones. */
const [folder = '', migrations = ''] = process.argv.slice(2)
const db = await openFolder(folder)
const applied = await migrate(db, pathToFileURL(`${migrations}/`))
await db.destroy()
process.send?.(applied)
process.disconnect?.()
