import type { Tx } from '../../db/client.ts'
import type { SecurityChange } from './content.ts'
import { type QueueDeps, queueMail } from './mail-queue.ts'

interface Account {
  role: 'master' | 'host' | 'assistant'
  id: string
}

/** Writes to the owner of an account that it has changed. Assistants have no address. Call in the transaction of the change. */
export async function mailSecurityChange(
  deps: QueueDeps,
  tx: Tx,
  { role, id }: Account,
  { change, ip }: { change: SecurityChange; ip: string | null },
): Promise<void> {
  if (!deps.config.SMTP_URL || role === 'assistant') return
  const at = new Date(deps.now()).toISOString()
  if (role === 'host') {
    const host = await tx
      .selectFrom('hosts')
      .select(['email', 'username'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    const content = { kind: 'security_changed', change, account: host.username, site: role, at, ip } as const
    await queueMail(deps, tx, { to: { address: host.email, host_id: id }, content })
    return
  }
  const { email } = await tx.selectFrom('masters').select('email').where('id', '=', id).executeTakeFirstOrThrow()
  const content = { kind: 'security_changed', change, account: email, site: role, at, ip } as const
  await queueMail(deps, tx, { to: { address: email, master_id: id }, content })
}
