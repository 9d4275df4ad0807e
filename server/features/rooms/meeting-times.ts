import { type RawBuilder, sql } from 'kysely'

/** The start of a sitting that was already running when Parley first saw it. */
const LONG_AGO = new Date('2000-01-01T00:00:00Z')

export interface MeetingRow {
  id: string
  started_at: Date
  ended_at: Date | null
  note: string | null
}

/**
 * Selects the sittings of a room's meeting. If the start event was lost and no later one has named the start, the sitting
 * begins after the previous one's end; if the end event was lost, the last event counts as the end.
 */
export const meetingTimes = (room_id: string): RawBuilder<MeetingRow> => sql`
  select * from (
    select meeting_uuid as id,
      greatest(coalesce(started_at, began_at), lag(live_reported_at) over (order by began_at)) as started_at,
      case when is_live then null else greatest(began_at, live_reported_at) end as ended_at,
      note
    from sittings where room_id = ${room_id}
  ) as timed
  where started_at > ${LONG_AGO}`
