import { DAY_MS } from '../../../shared/dates.ts'
import { SHARED_RECORDINGS_MAX, type SharedRecording } from '../../../shared/recordings.ts'
import type { HostActor, PhoneActor } from '../../db/actor.ts'
import { audit } from '../../db/audit-log.ts'
import type { Db, Tx } from '../../db/client.ts'
import { lockHost } from '../../db/lock-host.ts'
import { requireOpenSession } from '../../db/open-session.ts'
import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors.ts'
import { mediaLink } from './media-links.ts'
import { RECORDING_NOT_FOUND } from './recording-index.ts'

export const NO_LONGER_SHARED = 'Your host no longer shares this recording.'
const TOO_MANY = `Up to ${SHARED_RECORDINGS_MAX} recordings can be shared. Stop sharing another one first.`

type Until = { shared_until: Date | null }

export function isShared<Row extends Until>({ now }: Pick<Deps, 'now'>, row: Row): row is Row & { shared_until: Date } {
  return row.shared_until !== null && row.shared_until.getTime() > now()
}

/** Shares a recording with the room's users for so many days, or ends that with null. Returns until when. */
export async function shareRecording(deps: Deps, by: HostActor, id: string, days: number | null): Promise<Date | null> {
  const now = deps.now()
  return deps.db.transaction().execute(async (tx) => {
    await lockHost(tx, by.host_id)
    const found = await listed(tx, by.host_id)
      .where((eb) => eb.or([eb('recordings.id', '=', id), eb('shared_until', '>', new Date(now))]))
      .execute()
    const recording = found.find((one) => one.id === id)
    if (!recording) throw new AppError('not_found', RECORDING_NOT_FOUND)
    if (days !== null && recording.status !== 'completed')
      throw new AppError('conflict', 'Zoom has not finished this recording yet.')
    if (days !== null && found.length > SHARED_RECORDINGS_MAX) throw new AppError('conflict', TOO_MANY)

    const shared_until = days === null ? null : new Date(now + days * DAY_MS)
    const before = isShared(deps, recording) ? { shared_until: recording.shared_until } : undefined
    if (!shared_until && !before) {
      await requireOpenSession(tx, by.session_id)
      return null
    }
    await tx.updateTable('recordings').set({ shared_until }).where('id', '=', id).execute()
    const action = shared_until ? 'recording_shared' : 'recording_unshared'
    const after = shared_until ? { shared_until } : undefined
    await audit(deps, tx, by, { action, target: recording.meeting_uuid, before, after })
    return shared_until
  })
}

export async function findSharedRecordings(deps: Deps, by: PhoneActor): Promise<SharedRecording[]> {
  const rows = await shared(deps, by.host_id).orderBy('started_at', 'desc').orderBy('recordings.id').execute()
  return rows
    .filter((row) => isShared(deps, row))
    .map((row) => ({
      ...{ id: row.id, topic: row.topic, duration: row.duration },
      created_at: row.started_at.toISOString(),
      shared_until: row.shared_until.toISOString(),
      play_url: mediaLink(deps, row.id, by, 'listen'),
    }))
}

export async function countSharedRecordings(deps: Deps, host_id: string): Promise<number> {
  return (await shared(deps, host_id).execute()).length
}

function shared({ db, now }: Deps, host_id: string) {
  return listed(db, host_id).where('status', '=', 'completed').where('shared_until', '>', new Date(now()))
}

function listed(db: Db | Tx, host_id: string) {
  return db
    .selectFrom('recordings')
    .innerJoin('rooms', 'rooms.id', 'recordings.room_id')
    .select(['recordings.id', 'meeting_uuid', 'topic', 'started_at', 'duration', 'status', 'shared_until'])
    .where('rooms.host_id', '=', host_id)
    .where('trashed_at', 'is', null)
    .where((eb) => eb.or([eb('gone_at_zoom', '=', false), eb('archived_path', 'is not', null)]))
}
