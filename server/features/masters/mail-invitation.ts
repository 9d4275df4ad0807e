import type { MasterActor } from '../../db/actor.ts'
import type { Tx } from '../../db/client.ts'
import type { MadeAccountLink } from '../auth/account-links.ts'
import { type QueueDeps, queueMail } from '../mail/mail-queue.ts'

/** Mails an invitation to the person who is invited. */
export async function mailInvitation(
  deps: QueueDeps,
  tx: Tx,
  by: MasterActor,
  { email, full_name, link }: { email: string; full_name: string | null; link: MadeAccountLink },
): Promise<boolean> {
  const maker = await tx.selectFrom('masters').select('email').where('id', '=', by.id).executeTakeFirstOrThrow()
  const { id: link_id, url, expires_at } = link
  return queueMail(deps, tx, {
    to: { address: email },
    link_id,
    content: { kind: 'master_invite', full_name, made_by: maker.email, url, expires_at: expires_at.toISOString() },
  })
}
