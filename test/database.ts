import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import pg from 'pg'
import { inject } from 'vitest'
import { type Db, openEmbedded, openPostgres } from '../server/db.ts'

/** A migrated database of its own, on whichever engine this run is for. */
export async function freshDatabase(): Promise<Db> {
  const origin = inject('database')
  if ('image' in origin) return openEmbedded('memory://', new Blob([await readFile(origin.image)]))

  const name = `test_${randomBytes(6).toString('hex')}`
  const client = new pg.Client({ connectionString: origin.server })
  await client.connect()
  await client.query(`create database ${name} template ${origin.template}`)
  await client.end()
  const url = new URL(origin.server)
  url.pathname = `/${name}`
  return openPostgres(url.href)
}
