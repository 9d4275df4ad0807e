import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { DAY_MS } from '../../../shared/dates.ts'
import type { Db, Tx } from '../../db/client.ts'
import type { Deps } from '../../deps.ts'
import type { MailContent } from './content.ts'

/** A test mail does not wait. */
type QueuedContent = Exclude<MailContent, { kind: 'test' }>

/** The most mails that wait at a time. */
const MAX_WAITING = 1_000
/** The most mails of a kind that an address gets in a day. */
const MAX_A_DAY: Record<QueuedContent['kind'], number> = {
  host_reset: 10,
  master_invite: 10,
  subscription_ends: 3,
  archive_full: 2,
  zoom_reconnect: 5,
  meeting_not_ready: 5,
  backup_failed: 1,
  security_changed: 20,
}

export type QueueDeps = Pick<Deps, 'config' | 'secrets' | 'now' | 'log'>

export interface NewMail {
  /** The account whose mail it is; none for somebody who is invited. */
  to: { address: string; host_id?: string; master_id?: string }
  /** The account link in it. Without the link the mail is not sent. */
  link_id?: string
  content: QueuedContent
}

/**
 * Queues a mail in the transaction of what causes it. Returns false, and queues none, while mail is off, too many wait,
 * or the address has had enough of this kind.
 */
export async function queueMail({ config, secrets, now, log }: QueueDeps, tx: Tx, mail: NewMail): Promise<boolean> {
  if (!config.SMTP_URL) return false
  const { content, to, link_id = null } = mail
  const { kind } = content
  const at = new Date(now())
  const { waiting, recent } = await tx
    .selectFrom('mails')
    .select((eb) => [
      eb.fn.countAll<string>().filterWhere('ended_at', 'is', null).as('waiting'),
      eb.fn
        .countAll<string>()
        .filterWhere('kind', '=', kind)
        .filterWhere('created_at', '>', new Date(now() - DAY_MS))
        .filterWhere(sql`lower(address)`, '=', to.address.toLowerCase())
        .as('recent'),
    ])
    .where((eb) => eb.or([eb('ended_at', 'is', null), eb(sql`lower(address)`, '=', to.address.toLowerCase())]))
    .executeTakeFirstOrThrow()
  if (Number(waiting) >= MAX_WAITING || Number(recent) >= MAX_A_DAY[kind]) {
    log.warn({ kind }, 'mail.not_queued')
    return false
  }
  const id = randomUUID()
  await tx
    .insertInto('mails')
    .values({
      id,
      kind,
      address: to.address,
      host_id: to.host_id ?? null,
      master_id: to.master_id ?? null,
      link_id,
      content_ciphertext: secrets.encrypt(JSON.stringify(content), mailAad(id)),
      created_at: at,
      next_attempt_at: at,
    })
    .execute()
  return true
}

export const mailAad = (id: string) => `mails.content:${id}`

export async function countWaitingMails(db: Db): Promise<number> {
  const waiting = db.selectFrom('mails').where('ended_at', 'is', null)
  const { count } = await waiting.select((eb) => eb.fn.countAll<string>().as('count')).executeTakeFirstOrThrow()
  return Number(count)
}
