import { type Selectable, sql } from 'kysely'
import { SYSTEM } from '../../db/actor.ts'
import { anyOf } from '../../db/any-of.ts'
import { audit } from '../../db/audit-log.ts'
import type { Tx } from '../../db/client.ts'
import { withJobLock } from '../../db/job-lock.ts'
import type { Tables } from '../../db/tables.ts'
import type { Deps } from '../../deps.ts'
import type { Job } from '../../jobs/job.ts'
import { JOB_INTERVALS } from '../../jobs/retention.ts'
import { removeCopy } from '../recordings/archive/archive-file.ts'
import { countStorage } from '../recordings/archive/count-storage.ts'

type Purge = Selectable<Tables['zoom_purges']>
type PurgeKey = Pick<Purge, 'host_id' | 'zoom_account_id' | 'zoom_user_id'>

/** An interrupted purge is retried after this time. */
const RETRY_MS = 10 * 60_000

/** Purges the data of Zoom users who removed the app. A failed purge does not hold up the others. */
export const purgeDeauthorized: Job = {
  name: 'purge deauthorized zoom accounts',
  every: JOB_INTERVALS.hour,
  async run(deps, signal) {
    let total = 0
    while (!signal?.aborted) {
      const purge = await withJobLock(deps.db, this.name, (tx) => claimPurge(deps, tx))
      if (!purge) break
      try {
        await purgeZoomData(deps, purge)
        total++
      } catch (error) {
        deps.log.error({ err: error, host_id: purge.host_id }, 'zoom.purge_failed')
      }
    }
    return total
  },
}

async function claimPurge({ now }: Deps, tx: Tx): Promise<Purge | null> {
  const due = await tx
    .selectFrom('zoom_purges')
    .selectAll()
    .where('due_at', '<=', new Date(now()))
    .orderBy('due_at')
    .limit(1)
    .executeTakeFirst()
  if (!due) return null
  await wherePurge(tx.updateTable('zoom_purges').set({ due_at: new Date(now() + RETRY_MS) }), due).execute()
  return due
}

/**
 * Deletes a Zoom user's recordings, their archived files, Zoom's events, and the e-mail in the audit. Files go first,
 * so that the next run still finds one that could not be removed.
 */
export async function purgeZoomData(deps: Deps, key: PurgeKey): Promise<void> {
  const purge = await wherePurge(deps.db.selectFrom('zoom_purges').selectAll(), key).executeTakeFirst()
  if (!purge) return
  if (await isConnectedAgain(deps, purge)) {
    await wherePurge(deps.db.deleteFrom('zoom_purges'), purge).execute()
    return
  }
  for (const copy of await findCopies(deps, purge)) await removeCopy(deps, purge.host_id, copy)
  await deps.db.transaction().execute((tx) => deleteRows(deps, tx, purge))
  deps.log.info({ host_id: purge.host_id }, 'zoom.purged')
}

/** True if the same Zoom user has consented again. */
async function isConnectedAgain({ db }: Deps, { host_id, zoom_account_id, zoom_user_id }: Purge): Promise<boolean> {
  const link = await db
    .selectFrom('zoom_links')
    .select('host_id')
    .where('host_id', '=', host_id)
    .where('zoom_account_id', '=', zoom_account_id)
    .where('zoom_user_id', '=', zoom_user_id)
    .executeTakeFirst()
  return link !== undefined
}

/** Includes partial copies. */
function findCopies({ db }: Deps, purge: Purge) {
  return db
    .selectFrom('recordings')
    .select(['id', 'file_type', 'archived_path'])
    .where((eb) => eb.or([eb('archived_path', 'is not', null), eb('archive_started_at', 'is not', null)]))
    .where('room_id', 'in', roomsOf(db, purge))
    .where('zoom_account_id', '=', purge.zoom_account_id)
    .where('zoom_user_id', '=', purge.zoom_user_id)
    .execute()
}

async function deleteRows(deps: Deps, tx: Tx, purge: Purge): Promise<void> {
  const { host_id, zoom_account_id, zoom_user_id, deauthorized_at } = purge
  const recordings = await tx
    .deleteFrom('recordings')
    .where('room_id', 'in', roomsOf(tx, purge))
    .where('zoom_account_id', '=', zoom_account_id)
    .where('zoom_user_id', '=', zoom_user_id)
    .returning('meeting_uuid')
    .execute()
  await tx
    .deleteFrom('transcripts')
    .where('room_id', 'in', roomsOf(tx, purge))
    .where('zoom_account_id', '=', zoom_account_id)
    .where('zoom_user_id', '=', zoom_user_id)
    .execute()
  await countStorage(tx, host_id)
  const uuids = recordings.map(({ meeting_uuid }) => meeting_uuid)
  await tx
    .deleteFrom('recording_marks')
    .where('zoom_account_id', '=', zoom_account_id)
    .where((eb) => eb.or([eb('host_id', '=', host_id), eb('meeting_uuid', '=', anyOf(uuids, 'text'))]))
    .execute()
  await tx
    .deleteFrom('sittings')
    .where('room_id', 'in', roomsOf(tx, purge))
    .where('live_reported_at', '<=', deauthorized_at)
    .execute()
  for (const table of ['zoom_events', 'oauth_results'] as const)
    await tx
      .deleteFrom(table)
      .where('zoom_account_id', '=', zoom_account_id)
      .where('zoom_user_id', '=', zoom_user_id)
      .execute()
  await redactEmail(tx, purge)
  await wherePurge(tx.deleteFrom('zoom_purges'), purge).execute()
  const done = { action: 'zoom_data_purged' as const, target: host_id, after: { recordings: recordings.length } }
  await audit(deps, tx, SYSTEM, { host_id, ...done })
}

/** Keeps the audit entry of the connection, without the e-mail. */
async function redactEmail(tx: Tx, { host_id, email }: Purge): Promise<void> {
  await sql`select set_config('parley.purging_host', ${host_id}, true)`.execute(tx)
  await tx
    .updateTable('audit')
    .set({ before: null, after: null })
    .where('host_id', '=', host_id)
    .where('action', 'in', ['zoom_connected', 'zoom_disconnected'])
    .where(sql<boolean>`(before ->> 'email' = ${email} or after ->> 'email' = ${email})`)
    .execute()
}

function roomsOf(db: Deps['db'], { host_id }: PurgeKey) {
  return db.selectFrom('rooms').select('id').where('host_id', '=', host_id)
}

function wherePurge<Q extends { where(column: keyof PurgeKey, op: '=', value: string): Q }>(
  query: Q,
  key: PurgeKey,
): Q {
  return query
    .where('host_id', '=', key.host_id)
    .where('zoom_account_id', '=', key.zoom_account_id)
    .where('zoom_user_id', '=', key.zoom_user_id)
}
