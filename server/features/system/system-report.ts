import packageJson from '../../../package.json' with { type: 'json' }
import { HOUR_MS } from '../../../shared/dates.ts'
import type { SystemReport } from '../../../shared/system.ts'
import { countServers } from '../../db/advisory-lock.ts'
import type { Deps } from '../../deps.ts'
import { namesIn } from '../../lib/ask-disk.ts'
import { ownCommit } from '../../lib/own-version.ts'
import { isBackingUp } from '../backup/jobs.ts'
import { findBackups } from '../backup/kept-backups.ts'
import { listHosts } from '../hosts/hosts.ts'
import { countWaitingMails } from '../mail/mail-queue.ts'
import type { SystemFindings } from './system-checks.ts'

const MAX_HOSTS = 100

/** Reports on this server and its installation. A host with a subscription that ended is not in trouble. */
export async function reportSystem(deps: Deps, { checks, checkedAt }: SystemFindings): Promise<SystemReport> {
  const { db, config } = deps
  const [installation, servers, backup, mail, hosts] = await Promise.all([
    db.selectFrom('installation').select('previous_version').executeTakeFirst(),
    config.DATABASE_URL ? countServers(db) : 1,
    reportBackups(deps),
    reportMail(deps),
    findHostsInTrouble(deps),
  ])
  return {
    version: packageJson.version,
    commit: ownCommit(),
    previous_version: installation?.previous_version ?? null,
    started_at: new Date(Date.now() - process.uptime() * 1000).toISOString(),
    nodes: Math.max(1, servers),
    checks,
    checked_at: new Date(checkedAt).toISOString(),
    backup,
    mail,
    hosts_in_trouble: hosts,
  }
}

async function reportBackups({ db, config }: Deps): Promise<SystemReport['backup']> {
  const { BACKUP_TO: to = null, BACKUP_HOURS } = config
  const latest = async (action: 'backup_made' | 'backup_failed') =>
    db
      .selectFrom('audit')
      .select(['at', 'after'])
      .where('action', '=', action)
      .orderBy('seq', 'desc')
      .limit(1)
      .executeTakeFirst()
  const [made, failed, is_running] = await Promise.all([
    latest('backup_made'),
    latest('backup_failed'),
    isBackingUp(db),
  ])
  const backups = to === null ? [] : findBackups(await namesIn(to).catch(() => []))
  const [newest] = backups
  const reason = failed && (!made || failed.at > made.at) ? failed.after?.reason : null
  return {
    is_on: to !== null,
    to,
    last_success_at: made?.at.toISOString() ?? null,
    last_error: typeof reason === 'string' ? reason : null,
    next_at: newest ? new Date(newest.time + BACKUP_HOURS * HOUR_MS).toISOString() : null,
    kept: backups.length,
    is_running,
  }
}

/** An error counts until a later mail is sent. */
async function reportMail({ db, config }: Deps): Promise<SystemReport['mail']> {
  const failed = await db
    .selectFrom('mails')
    .select('failure')
    .where('failed_at', 'is not', null)
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('mails as sent')
            .select('sent.id')
            .where('sent.failure', 'is', null)
            .whereRef('sent.ended_at', '>', 'mails.failed_at'),
        ),
      ),
    )
    .orderBy('failed_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return {
    is_on: config.SMTP_URL !== undefined,
    waiting: await countWaitingMails(db),
    last_error: failed?.failure ?? null,
  }
}

async function findHostsInTrouble(deps: Deps): Promise<SystemReport['hosts_in_trouble']> {
  const hosts = await listHosts(deps, false)
  return hosts
    .flatMap(({ id, username, zoom_status, zoom_warnings: [warning] }) => {
      const problem = zoom_status === 'reconnect_needed' ? 'Zoom has to be connected again.' : warning?.message
      return problem === undefined ? [] : [{ host_id: id, username, problem }]
    })
    .slice(0, MAX_HOSTS)
}
