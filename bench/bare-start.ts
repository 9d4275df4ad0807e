import { createServer } from 'node:http'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'

/** The baseline for a start: opens the embedded database and listens. */
const [dataDir = ''] = process.argv.slice(2)
const db = await PGlite.create(join(dataDir, 'pglite'))
await db.query('select count(*) from hosts')
const server = createServer()
server.listen(0, '127.0.0.1', async () => {
  process.send?.('ready')
  server.close()
  await db.close()
  process.disconnect?.()
})
