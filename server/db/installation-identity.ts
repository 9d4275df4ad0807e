import type { Secrets } from '../lib/secrets.ts'
import type { Db } from './client.ts'

/** Returns the value that all servers of one installation have in common. */
export async function identityOf(db: Db, secrets: Secrets): Promise<string> {
  const installation = await db.selectFrom('installation').select('id').executeTakeFirst()
  return `${installation?.id} ${secrets.sign('installations', 'the same SECRET_KEY')}`
}
