import { sql } from 'kysely'
import { MINUTE_MS } from '../../../shared/dates.ts'
import { RECORDED_SPEECHES_MAX, type RecordingSpeakers } from '../../../shared/recording-speakers.ts'
import type { HostActor } from '../../db/actor.ts'
import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors.ts'
import { listSpeakers } from '../attendance/attendance.ts'
import { RECORDING_NOT_FOUND } from './recording-index.ts'

/** Reads who spoke while a recording ran, as their phones and the host's seat reported it. */
export async function readRecordingSpeakers(deps: Deps, by: HostActor, id: string): Promise<RecordingSpeakers> {
  await deps.speeches.flush()
  const recording = await deps.db
    .selectFrom('recordings')
    .innerJoin('rooms', 'rooms.id', 'recordings.room_id')
    .select(['recordings.room_id', 'recordings.started_at', 'recordings.duration'])
    .where('recordings.id', '=', id)
    .where('rooms.host_id', '=', by.host_id)
    .where('recordings.trashed_at', 'is', null)
    .where((eb) => eb.or([eb('gone_at_zoom', '=', false), eb('archived_path', 'is not', null)]))
    .executeTakeFirst()
  if (!recording) throw new AppError('not_found', RECORDING_NOT_FOUND)
  const { room_id, started_at: start, duration } = recording
  // The duration is in whole minutes, so that the file may be half a minute longer.
  const end = new Date(start.getTime() + (duration + 1) * MINUTE_MS)
  const speakers = await listSpeakers(deps, { room_id, start, end, now: new Date(deps.now()) })
  const { rows: speeches } = await sql<RecordingSpeakers['speeches'][number]>`
    select room_user_id as id,
      extract(epoch from began_at - ${start})::float8 as from_seconds,
      extract(epoch from ended_at - ${start})::float8 as to_seconds
    from speeches
    where room_id = ${room_id} and began_at < ${end} and ended_at > ${start}
    order by began_at, room_user_id
    limit ${sql.lit(RECORDED_SPEECHES_MAX + 1)}`.execute(deps.db)
  const has_more = speeches.length > RECORDED_SPEECHES_MAX
  return { speakers, speeches: speeches.slice(0, RECORDED_SPEECHES_MAX), has_more }
}
