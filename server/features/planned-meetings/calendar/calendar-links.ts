import { statusAt } from '../../../../shared/subscription-dates.ts'
import type { HostActor } from '../../../db/actor.ts'
import { audit } from '../../../db/audit-log.ts'
import { lockHost } from '../../../db/lock-host.ts'
import { requireOpenSession } from '../../../db/open-session.ts'
import type { Deps } from '../../../deps.ts'
import { notFound } from '../../../errors.ts'
import { randomToken, sha256 } from '../../../lib/secrets.ts'
import { siteOrigins } from '../../../lib/sites.ts'
import { SUBSCRIPTION_COLUMNS } from '../../subscriptions/require-subscription.ts'
import { readTimes } from '../planned-meetings.ts'
import { calendarText } from './calendar-text.ts'

/** Returns when the link was made that works now. */
export async function findCalendarLink({ db }: Deps, { host_id }: HostActor): Promise<string | null> {
  const room = await db
    .selectFrom('rooms')
    .select('calendar_link_made_at')
    .where('host_id', '=', host_id)
    .executeTakeFirst()
  return room?.calendar_link_made_at?.toISOString() ?? null
}

/** Replaces the room's earlier link. */
export async function makeCalendarLink(deps: Deps, by: HostActor): Promise<string> {
  const token = randomToken()
  await deps.db.transaction().execute(async (tx) => {
    const host = await lockHost(tx, by.host_id)
    if (!host || host.deleted_at) throw notFound('Room')
    await tx
      .updateTable('rooms')
      .set({ calendar_token_hash: sha256(token), calendar_link_made_at: new Date(deps.now()) })
      .where('host_id', '=', by.host_id)
      .execute()
    await audit(deps, tx, by, { action: 'calendar_link_made' })
  })
  return `${siteOrigins(deps.config).public}/api/calendar/${token}.ics`
}

/** Succeeds too where there is none. */
export async function removeCalendarLink(deps: Deps, by: HostActor): Promise<void> {
  await deps.db.transaction().execute(async (tx) => {
    await lockHost(tx, by.host_id)
    await requireOpenSession(tx, by.session_id)
    const removed = await tx
      .updateTable('rooms')
      .set({ calendar_token_hash: null, calendar_link_made_at: null })
      .where('host_id', '=', by.host_id)
      .where('calendar_token_hash', 'is not', null)
      .returning('id')
      .executeTakeFirst()
    if (removed) await audit(deps, tx, by, { action: 'calendar_link_removed' })
  })
}

/** Returns null for a link that does not work: nobody can tell why. A stopped room keeps its plans, and its calendar. */
export async function readCalendar({ db, now }: Deps, token: string): Promise<string | null> {
  const room = await db
    .selectFrom('rooms')
    .innerJoin('hosts', 'hosts.id', 'rooms.host_id')
    .select(['host_id', 'rooms.name as room_name'])
    .select(SUBSCRIPTION_COLUMNS)
    .where('calendar_token_hash', '=', sha256(token))
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  if (!room || statusAt(room, new Date(now())) !== 'active') return null
  const meetings = await readTimes(db, room.host_id)
  return calendarText({ room_name: room.room_name, meetings, now: now() })
}
