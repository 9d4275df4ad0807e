import { type ExpressionBuilder, sql } from 'kysely'
import type { Tx } from '../../db/client.ts'
import type { Tables } from '../../db/tables.ts'
import type { Sitting } from './sittings.ts'

/** Each joining has a row. Beyond so many of one sitting, later ones are not counted. */
const JOINS_MAX = 2_000

/** The later of two events wins, in any order of arrival; at the same moment the leave does. The room is locked. */
export async function recordZoomAppJoin(
  tx: Tx,
  { room_id, meeting_uuid }: Pick<Sitting, 'room_id' | 'meeting_uuid'>,
  who: { participant: string; is_host: boolean },
  is_present: boolean,
  at: Date,
): Promise<void> {
  const changed = await tx
    .updateTable('zoom_app_joins')
    .set({
      is_present: sql<boolean>`case
        when reported_at < ${at}::timestamptz then ${is_present}
        when reported_at = ${at}::timestamptz then is_present and ${is_present}
        else is_present end`,
      reported_at: sql<Date>`greatest(reported_at, ${at}::timestamptz)`,
    })
    .where('room_id', '=', room_id)
    .where('meeting_uuid', '=', meeting_uuid)
    .where('participant', '=', who.participant)
    .executeTakeFirst()
  if (changed.numUpdatedRows > 0n) return
  const { rows } = await tx
    .selectFrom('zoom_app_joins')
    .select((eb) => eb.fn.countAll<string>().as('rows'))
    .where('room_id', '=', room_id)
    .where('meeting_uuid', '=', meeting_uuid)
    .executeTakeFirstOrThrow()
  if (Number(rows) >= JOINS_MAX) return
  await tx
    .insertInto('zoom_app_joins')
    .values({ room_id, meeting_uuid, ...who, is_present, reported_at: at })
    .execute()
}

/** Counts those in a sitting with an app of Zoom's own: the host's, or the others'. */
export function zoomApps(eb: ExpressionBuilder<Tables, 'sittings'>, { is_host }: { is_host: boolean }) {
  return eb
    .selectFrom('zoom_app_joins')
    .select((joins) => joins.fn.countAll<string>().as('count'))
    .whereRef('zoom_app_joins.room_id', '=', 'sittings.room_id')
    .whereRef('zoom_app_joins.meeting_uuid', '=', 'sittings.meeting_uuid')
    .where('is_present', '=', true)
    .where('is_host', '=', is_host)
}
