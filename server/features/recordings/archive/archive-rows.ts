import { sql, type Updateable } from 'kysely'
import type { Db, Tx } from '../../../db/client.ts'
import type { Tables } from '../../../db/tables.ts'
import type { Deps } from '../../../deps.ts'
import { backoff } from '../../../lib/backoff.ts'
import { randomToken } from '../../../lib/secrets.ts'
import { findMedia, type Media } from '../media.ts'
import { archivePath } from './archive-file.ts'
import { fits, GIB, isToArchive } from './to-archive.ts'

/** Renewed while the copy grows, so that it runs out soon after its process has died. */
const LEASE_SECONDS = 60
const WAIT_MS = { first: 60_000, longest: 6 * 3_600_000 }

export type Claim = { id: string; lease: string }

const leaseEnd = sql<Date>`now() + make_interval(secs => ${sql.lit(LEASE_SECONDS)})`

/** Takes the newest recording that is to be archived and fits. One of a host at a time, so that its limit holds. */
export async function takeNext({ now }: Deps, tx: Tx): Promise<Claim | null> {
  const lease = randomToken(12)
  const { rows } = await sql<Claim>`
    update recordings set archive_lease = ${lease}, archive_lease_until = ${leaseEnd}, archive_began_at = ${new Date(now())}
    where id = (
      select recordings.id from recordings
      join rooms on rooms.id = recordings.room_id
      join hosts on hosts.id = rooms.host_id
      join zoom_links on zoom_links.host_id = hosts.id
      where ${isToArchive} and ${fits}
        and coalesce(archive_try_at <= ${new Date(now())}, true)
        and not exists (
          select 1 from recordings as busy
          where busy.room_id = recordings.room_id and busy.archive_lease_until > now()
        )
      order by recordings.started_at desc, recordings.id
      limit 1
    )
    returning id, archive_lease as lease`.execute(tx)
  return rows[0] ?? null
}

/** The recording as it is to be copied now. */
export const claimedMedia = (deps: Deps, { id }: Claim): Promise<Media> => findMedia(deps, id)

/** Whether the copy is wanted still: it may have been deleted meanwhile, here or at Zoom, or its host. */
export async function renew({ db }: Deps, { id, lease }: Claim): Promise<boolean> {
  const row = await db
    .updateTable('recordings')
    .set({ archive_lease_until: leaseEnd })
    .where('id', '=', id)
    .where('archive_lease', '=', lease)
    .where('trashed_at', 'is', null)
    .where('room_id', 'in', (eb) =>
      eb
        .selectFrom('rooms')
        .innerJoin('hosts', 'hosts.id', 'rooms.host_id')
        .select('rooms.id')
        .where('hosts.deleted_at', 'is', null),
    )
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

export type Finish = 'done' | 'no_room' | 'deleted' | 'taken over'

/** Writes down that the copy is whole, where it is still this process that makes it, and where there is still room. */
export async function finish({ db }: Deps, media: Media, claim: Claim, bytes: number): Promise<Finish> {
  return db.transaction().execute(async (tx) => {
    const row = await tx
      .selectFrom('recordings')
      .select('archive_lease')
      .where('id', '=', claim.id)
      .forUpdate()
      .executeTakeFirst()
    if (!row) return 'deleted'
    if (row.archive_lease !== claim.lease) return 'taken over'
    const host = await tx
      .updateTable('hosts')
      .set((eb) => ({ storage_used_bytes: eb('storage_used_bytes', '+', bytes) }))
      .where('id', '=', media.host_id)
      .where(sql<boolean>`storage_used_bytes + ${bytes} <= storage_limit_gb * ${sql.lit(GIB)}`)
      .returning('id')
      .executeTakeFirst()
    const archived = { archived_path: archivePath(media.host_id, media), archived_bytes: bytes }
    await release(tx, claim, { ...(host && archived), archive_failures: 0, archive_try_at: null })
    return host ? 'done' : 'no_room'
  })
}

/** Leaves it for the next run, or where something is wrong with it, for longer each time. */
export async function putOff({ db, now }: Deps, claim: Claim, hasFailed: boolean): Promise<void> {
  if (!hasFailed) return release(db, claim, {})
  const row = await db.selectFrom('recordings').select('archive_failures').where('id', '=', claim.id).executeTakeFirst()
  const failures = (row?.archive_failures ?? 0) + 1
  const archive_try_at = new Date(now() + backoff(failures, WAIT_MS))
  await release(db, claim, { archive_failures: failures, archive_try_at })
}

async function release(db: Db | Tx, { id, lease }: Claim, set: Updateable<Tables['recordings']>): Promise<void> {
  await db
    .updateTable('recordings')
    .set({ ...set, archive_lease: null, archive_lease_until: null })
    .where('id', '=', id)
    .where('archive_lease', '=', lease)
    .execute()
}

/** The embedded database has one server at a time: a lease found at its start is a dead one's. */
export async function releaseArchiveOfTheDead({ db, config }: Deps): Promise<void> {
  if (config.DATABASE_URL) return
  const none = { archive_lease: null, archive_lease_until: null }
  await db.updateTable('recordings').set(none).where('archive_lease', 'is not', null).execute()
}
