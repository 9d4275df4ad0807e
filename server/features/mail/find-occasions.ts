import { sql } from 'kysely'
import { DAY_MS, HOUR_MS } from '../../../shared/dates.ts'
import type { Tx } from '../../db/client.ts'
import { withJobLock } from '../../db/job-lock.ts'
import type { Deps } from '../../deps.ts'
import type { Job } from '../../jobs/job.ts'
import { JOB_INTERVALS } from '../../jobs/retention.ts'
import { waitingByHost } from '../recordings/archive/to-archive.ts'
import { type NewMail, queueMail } from './mail-queue.ts'

/** A host hears of the end of its subscription this long before. */
const ENDS_SOON_MS = 7 * DAY_MS
/** Less than a day, so that a failure is written of once. */
const FAILED_LATELY_MS = 23 * HOUR_MS
const HOSTS_AT_ONCE = 200

type OccasionDeps = Pick<Deps, 'config' | 'db' | 'secrets' | 'now' | 'log'>
type Step = (deps: OccasionDeps, tx: Tx) => Promise<number>

export const mailDaily: Job = occasionJob('mail ends of subscriptions and full archives', JOB_INTERVALS.hour, [
  mailEndingSubscriptions,
  mailFullArchives,
])
export const mailSoon: Job = occasionJob('mail lost connections and failed backups', JOB_INTERVALS.minute, [
  mailLostConnections,
  mailFailedBackups,
])

/** Queues mails in the transaction that notes their occasions, so that there is one for each, whatever the number of nodes. */
function occasionJob(name: string, every: number, steps: Step[]): Job {
  return {
    name,
    every,
    async run(deps, signal) {
      let total = 0
      if (!deps.config.SMTP_URL) return total
      for (const step of steps) {
        if (signal?.aborted) break
        total += (await withJobLock(deps.db, name, (tx) => step(deps, tx))) ?? 0
      }
      return total
    },
  }
}

async function mailEndingSubscriptions(deps: OccasionDeps, tx: Tx): Promise<number> {
  const at = deps.now()
  const hosts = await tx
    .selectFrom('hosts')
    .select(['id', 'username', 'email', 'subscription_end_date as ends_at'])
    .where('deleted_at', 'is', null)
    .where('subscription_cancelled_at', 'is', null)
    .where('subscription_end_date', '>', new Date(at))
    .where('subscription_end_date', '<=', new Date(at + ENDS_SOON_MS))
    .where(
      isNewOccasion(
        'subscription_ends',
        sql`to_char(subscription_end_date at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`,
      ),
    )
    .orderBy('subscription_end_date')
    .limit(HOSTS_AT_ONCE)
    .execute()
  let count = 0
  for (const { id, username, email, ends_at } of hosts) {
    if (!ends_at) continue
    const occasion = ends_at.toISOString()
    const content = { kind: 'subscription_ends', username, ends_at: occasion } as const
    if (await mailHost(deps, tx, { id, email, occasion, content })) count++
  }
  return count
}

/** An archive that gets room again is forgotten, so that the next time is an occasion of its own. */
async function mailFullArchives(deps: OccasionDeps, tx: Tx): Promise<number> {
  const waiting = await waitingByHost({ ...deps, db: tx })
  const full = [...waiting.keys()]
  const forgotten = tx.deleteFrom('host_mails').where('kind', '=', 'archive_full')
  await (full.length > 0 ? forgotten.where('host_id', 'not in', full) : forgotten).execute()
  if (full.length === 0) return 0
  const hosts = await tx
    .selectFrom('hosts')
    .select(['id', 'username', 'email', 'storage_limit_gb as limit_gb'])
    .where('id', 'in', full)
    .where(isNewOccasion('archive_full', sql`'full'`))
    .limit(HOSTS_AT_ONCE)
    .execute()
  let count = 0
  for (const { id, username, email, limit_gb } of hosts) {
    const content = { kind: 'archive_full', username, limit_gb, waiting: waiting.get(id) ?? 1 } as const
    if (await mailHost(deps, tx, { id, email, occasion: 'full', content })) count++
  }
  return count
}

/** Each connection can be lost once. */
async function mailLostConnections(deps: OccasionDeps, tx: Tx): Promise<number> {
  const hosts = await tx
    .selectFrom('hosts')
    .innerJoin('zoom_links', 'zoom_links.host_id', 'hosts.id')
    .select(['hosts.id', 'username', 'hosts.email', 'zoom_links.email as zoom_email', 'connected_at'])
    .where('reconnect_needed', '=', true)
    .where('deleted_at', 'is', null)
    .where(
      isNewOccasion('zoom_reconnect', sql`to_char(connected_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`),
    )
    .limit(HOSTS_AT_ONCE)
    .execute()
  let count = 0
  for (const { id, username, email, zoom_email, connected_at } of hosts) {
    const content = { kind: 'zoom_reconnect', username, zoom_email } as const
    if (await mailHost(deps, tx, { id, email, occasion: connected_at.toISOString(), content })) count++
  }
  return count
}

/** Writes to all masters, once a day, while the last backup is one that failed. */
async function mailFailedBackups(deps: OccasionDeps, tx: Tx): Promise<number> {
  const last = await tx
    .selectFrom('audit')
    .select(['action', 'at', 'after'])
    .where('action', 'in', ['backup_made', 'backup_failed'])
    .orderBy('seq', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (last?.action !== 'backup_failed' || last.at.getTime() <= deps.now() - FAILED_LATELY_MS) return 0
  const masters = await tx
    .selectFrom('masters')
    .select(['id', 'email'])
    .where('removed_at', 'is', null)
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('mails')
            .select('mails.id')
            .whereRef('mails.master_id', '=', 'masters.id')
            .where('kind', '=', 'backup_failed')
            .where('mails.created_at', '>', new Date(deps.now() - DAY_MS)),
        ),
      ),
    )
    .execute()
  const reason = typeof last.after?.reason === 'string' ? last.after.reason : 'the log has the reason'
  let count = 0
  for (const { id, email } of masters) {
    const content = { kind: 'backup_failed', reason, at: last.at.toISOString() } as const
    if (await queueMail(deps, tx, { to: { address: email, master_id: id }, content })) count++
  }
  return count
}

interface HostMail {
  id: string
  email: string
  occasion: string
  content: NewMail['content']
}

/** Notes the occasion only if the mail is queued: otherwise it is tried again. */
async function mailHost(deps: OccasionDeps, tx: Tx, { id, email, occasion, content }: HostMail): Promise<boolean> {
  if (!(await queueMail(deps, tx, { to: { address: email, host_id: id }, content }))) return false
  await tx
    .insertInto('host_mails')
    .values({ host_id: id, kind: content.kind, occasion })
    .onConflict((conflict) => conflict.columns(['host_id', 'kind']).doUpdateSet({ occasion }))
    .execute()
  return true
}

function isNewOccasion(kind: NewMail['content']['kind'], occasion: ReturnType<typeof sql>) {
  return sql<boolean>`not exists (
    select from host_mails where host_mails.host_id = hosts.id and kind = ${kind} and occasion = ${occasion}
  )`
}
