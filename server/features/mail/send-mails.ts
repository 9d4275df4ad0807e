import { type Selectable, sql } from 'kysely'
import { HOUR_MS, MINUTE_MS } from '../../../shared/dates.ts'
import { withJobLock } from '../../db/job-lock.ts'
import { Leases } from '../../db/leases.ts'
import type { Tables } from '../../db/tables.ts'
import type { Deps } from '../../deps.ts'
import type { Job } from '../../jobs/job.ts'
import { MailContent } from './content.ts'
import { mailAad } from './mail-queue.ts'
import { MailError, sendOverSmtp } from './smtp.ts'
import { writeMail } from './write-mail.ts'

/** When a mail is tried, since it was queued. After the last one it is dropped. */
export const ATTEMPTS_MS = [
  0,
  MINUTE_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  6 * HOUR_MS,
  24 * HOUR_MS,
  48 * HOUR_MS,
]
/** The longest that a mail may take, however slowly the mail server answers. */
const SEND_MS = 60_000
const KINDS_WITH_LINK = ['host_reset', 'master_invite']
/** A server that stops lets a mail that is on its way arrive for this long. */
const GRACE_MS = 3_000

/** Longer than a mail takes, so that none is sent twice while its server lives. */
const mailLeases = new Leases({ table: 'mails', key: 'id', lease: 'lease', until: 'lease_until', seconds: 120 })

type Mail = Selectable<Tables['mails']>
type SendDeps = Pick<Deps, 'config' | 'db' | 'secrets' | 'metrics' | 'now' | 'log'>

export const sendMails: Job = {
  name: 'send mails',
  every: 5_000,
  isLong: true,
  leases: mailLeases,
  run: (deps, signal) => sendWaitingMails(deps, signal),
}

/** Sends one mail after the other, at one of several nodes. Returns how many were sent. */
export async function sendWaitingMails(deps: SendDeps, stop?: AbortSignal): Promise<number> {
  if (!deps.config.SMTP_URL) return 0
  let sent = 0
  while (!stop?.aborted) {
    const mail = await claimMail(deps)
    if (!mail) break
    const end = await sendMail(deps, mail, stop)
    if (end === 'sent') sent++
    if (end === 'server_failed') break // it would fail all others too
  }
  return sent
}

/** Claims the mail that has waited longest, unless another node sends one. */
function claimMail({ db, now }: SendDeps): Promise<Mail | null | undefined> {
  const candidate = sql`
    select id from mails
    where ended_at is null and next_attempt_at <= ${new Date(now())} and ${mailLeases.isFree}
      and not exists (select from mails as busy where busy.lease_until > now())
    order by next_attempt_at, id
    limit 1`
  return withJobLock(db, sendMails.name, (tx) => mailLeases.take(tx, candidate, { attempts: sql`attempts + 1` }))
}

async function sendMail(deps: SendDeps, mail: Mail, stop?: AbortSignal) {
  const { log, metrics } = deps
  const { kind, attempts } = mail
  try {
    if (attempts > ATTEMPTS_MS.length) throw notSent('Its server ended while it was sent.')
    if (!(await isWanted(deps, mail))) {
      await mailLeases.release(deps.db, mail, { content_ciphertext: null, ended_at: new Date(deps.now()) })
      return 'void' as const
    }
    const content = openContent(deps, mail)
    if (isTooLate(deps, content)) {
      await mailLeases.release(deps.db, mail, { content_ciphertext: null, ended_at: new Date(deps.now()) })
      return 'void' as const
    }
    const sending = new AbortController()
    const timer = setTimeout(() => sending.abort(), SEND_MS)
    const stopSoon = () => void setTimeout(() => sending.abort(), GRACE_MS).unref()
    stop?.addEventListener('abort', stopSoon)
    try {
      const outgoing = { ...writeMail(deps.config, content), to: mail.address, messageId: mail.id }
      await sendOverSmtp(deps.config, outgoing, sending.signal)
    } finally {
      clearTimeout(timer)
      stop?.removeEventListener('abort', stopSoon)
    }
    const ended = { content_ciphertext: null, ended_at: new Date(deps.now()), failure: null, failed_at: null }
    await mailLeases.release(deps.db, mail, ended)
    metrics.countMail(kind, 'sent')
    return 'sent' as const
  } catch (error) {
    if (!(error instanceof MailError)) throw error
    const isLast = error.isFinal || attempts >= ATTEMPTS_MS.length
    const at = new Date(deps.now())
    const end = isLast ? { content_ciphertext: null, ended_at: at } : { next_attempt_at: nextAttempt(mail, at) }
    await mailLeases.release(deps.db, mail, { ...end, failure: error.message, failed_at: at })
    metrics.countMail(kind, isLast ? 'dropped' : 'failed')
    log.warn({ kind, attempts }, isLast ? 'mail.dropped' : 'mail.failed') // an answer may name the address
    return error.isOfServer ? ('server_failed' as const) : ('failed' as const)
  }
}

/** Keeps at least half of the pause between two attempts where the earlier one came late. */
function nextAttempt({ created_at, attempts }: Mail, at: Date): Date {
  const [before = 0, next = 0] = ATTEMPTS_MS.slice(attempts - 1, attempts + 1)
  return new Date(Math.max(created_at.getTime() + next, at.getTime() + (next - before) / 2))
}

/** A link that was used, replaced or has run out, and an account that is gone, need no mail. */
async function isWanted({ db, now }: SendDeps, { kind, link_id, host_id, master_id }: Mail): Promise<boolean> {
  if (link_id === null && KINDS_WITH_LINK.includes(kind)) return false
  const found = await db
    .selectNoFrom((eb) => [
      eb
        .selectFrom('account_links')
        .select('id')
        .where('id', '=', link_id)
        .where('expires_at', '>', new Date(now()))
        .as('link'),
      eb.selectFrom('hosts').select('id').where('id', '=', host_id).where('deleted_at', 'is', null).as('host'),
      eb.selectFrom('masters').select('id').where('id', '=', master_id).where('removed_at', 'is', null).as('master'),
    ])
    .executeTakeFirstOrThrow()
  const isThere = (id: string | null, row: string | null) => id === null || row !== null
  return isThere(link_id, found.link) && isThere(host_id, found.host) && isThere(master_id, found.master)
}

/** A meeting that has begun needs no word of what is in its way. */
function isTooLate({ now }: SendDeps, content: MailContent): boolean {
  return content.kind === 'meeting_not_ready' && Date.parse(content.starts_at) <= now()
}

function openContent({ secrets }: SendDeps, { id, content_ciphertext }: Mail): MailContent {
  try {
    return MailContent.parse(JSON.parse(secrets.decrypt(content_ciphertext ?? '', mailAad(id))))
  } catch {
    throw notSent('It was stored under another SECRET_KEY.')
  }
}

const notSent = (message: string) => new MailError(message, { isFinal: true, isOfServer: false })
