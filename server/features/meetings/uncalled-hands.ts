import { sql } from 'kysely'
import type { MeetingSummary, UncalledHand } from '../../../shared/meetings.ts'
import type { Deps } from '../../deps.ts'

interface Span {
  room_id: string
  start: Date
  end: Date
}

type Row = Omit<UncalledHand, 'raised_at'> & { raised_at: Date }

/**
 * Lists the hands that were still up when their users left or the meeting ended, in the order in which they rose. A hand
 * that a crash left open ended with the user's visit. A user who has spoken since was called in some other way.
 */
export async function listUncalledHands(
  { db }: Deps,
  { room_id, start, end }: Span,
  { id, ended_at }: MeetingSummary,
): Promise<UncalledHand[]> {
  const { rows } = await sql<Row>`
    select hands.id, coalesce(room_users.user_id, stayed.user_id, '') as user_id,
      coalesce(room_users.username, stayed.username, 'deleted') as username, reference, raised_at,
      greatest(0, ceil(extract(epoch from least(coalesce(hands.ended_at, left_at, ${end}), ${end}) - raised_at)))::int
        as waited_seconds
    from (
      select room_user_id as id, greatest(raised_at, ${start}) as raised_at, ended_at from raised_hands
      where room_id = ${room_id} and meeting_uuid = ${id} and raised_at < ${end}
        and (ended_at > ${start} or ended_at is null and ${ended_at !== null})
    ) as hands
    left join room_users on room_users.id = hands.id
    left join lateral (
      select user_id, username, left_at from stays
      where room_user_id = hands.id and joined_at < ${end} order by joined_at desc limit 1
    ) as stayed on true
    where not exists (
      select from speeches
      where room_user_id = hands.id and began_at >= hands.raised_at and began_at < ${end}
    )
    order by raised_at, user_id`.execute(db)
  return rows.map(({ raised_at, ...row }) => ({ ...row, raised_at: raised_at.toISOString() }))
}
