import { pathToFileURL } from 'node:url'
import { openFolder } from '../server/db/embedded.ts'
import { migrate } from '../server/db/migrate.ts'

/** A process that brings a database folder up to date with a folder of migrations, and says which it applied. */
const [folder = '', migrations = ''] = process.argv.slice(2)
const db = await openFolder(folder)
const applied = await migrate(db, pathToFileURL(`${migrations}/`))
await db.destroy()
process.send?.(applied)
process.disconnect?.()
