import { sql } from 'kysely'
import { DAY_MS } from '../../../../shared/dates.ts'
import {
  type MakeReportLink,
  type NewReportLink,
  REPORT_LINKS_MAX,
  type ReportLink,
} from '../../../../shared/report-links.ts'
import { statusAt } from '../../../../shared/subscription-dates.ts'
import type { HostActor } from '../../../db/actor.ts'
import { audit } from '../../../db/audit-log.ts'
import type { Db } from '../../../db/client.ts'
import { lockHost } from '../../../db/lock-host.ts'
import { requireOpenSession } from '../../../db/open-session.ts'
import type { Deps } from '../../../deps.ts'
import { AppError, notFound } from '../../../errors.ts'
import { randomToken, sha256 } from '../../../lib/secrets.ts'
import { siteOrigins } from '../../../lib/sites.ts'
import { meetingTimes } from '../../rooms/meeting-times.ts'
import { SUBSCRIPTION_COLUMNS } from '../../subscriptions/require-subscription.ts'
import { findReportedRoom, findSummary } from '../summaries.ts'

/** Makes a link to the report of a meeting that is over. The token is in the fragment, which browsers send to no server. */
export async function makeReportLink(
  deps: Deps,
  by: HostActor,
  meeting_uuid: string,
  { days, with_note }: MakeReportLink,
): Promise<NewReportLink> {
  const room = await findReportedRoom(deps, by)
  const { id, started_at, ended_at } = await findSummary(deps, room, meeting_uuid)
  if (ended_at === null)
    throw new AppError('conflict', 'The meeting is still running. Share its report once it has ended.')
  const token = randomToken()
  const created_at = new Date(deps.now())
  const expires_at = new Date(deps.now() + days * DAY_MS)
  const link_id = await deps.db.transaction().execute(async (tx) => {
    const host = await lockHost(tx, by.host_id)
    if (!host || host.deleted_at) throw notFound('Meeting')
    await requireOpenSession(tx, by.session_id)
    const { open } = await tx
      .selectFrom('report_links')
      .select((eb) => eb.fn.countAll<number>().as('open'))
      .where('room_id', '=', room.room_id)
      .where('expires_at', '>', created_at)
      .executeTakeFirstOrThrow()
    if (Number(open) >= REPORT_LINKS_MAX)
      throw new AppError('conflict', `At most ${REPORT_LINKS_MAX} links are open at a time. End one of them first.`)
    const link = { room_id: room.room_id, meeting_uuid: id, token_hash: sha256(token), maker_id: by.id, with_note }
    const made = await tx
      .insertInto('report_links')
      .values({ ...link, created_at, expires_at })
      .returning('id')
      .executeTakeFirstOrThrow()
    const after = { meeting: started_at, expires_at, with_note }
    await audit(deps, tx, by, { action: 'report_link_made', after })
    return made.id
  })
  const link = (await listReportLinks(deps, by, meeting_uuid)).find((one) => one.id === link_id)
  if (!link) throw notFound('Link')
  return { url: `${siteOrigins(deps.config).public}/report#${token}`, link }
}

/** Lists the open links to a meeting's report, the newest first. */
export async function listReportLinks(
  { db, now }: Deps,
  { host_id }: HostActor,
  meeting_uuid: string,
): Promise<ReportLink[]> {
  const links = await ofHost(db, host_id)
    .leftJoin('assistants', 'assistants.id', 'maker_id')
    .select(['report_links.id', 'assistants.name as made_by', 'with_note'])
    .select(['report_links.created_at', 'report_links.expires_at'])
    .where('meeting_uuid', '=', meeting_uuid)
    .where('report_links.expires_at', '>', new Date(now()))
    .orderBy('report_links.created_at', 'desc')
    .execute()
  return links.map(({ created_at, expires_at, ...link }) => ({
    ...link,
    created_at: created_at.toISOString(),
    expires_at: expires_at.toISOString(),
  }))
}

export async function endReportLink(deps: Deps, by: HostActor, id: string): Promise<void> {
  await deps.db.transaction().execute(async (tx) => {
    await lockHost(tx, by.host_id)
    await requireOpenSession(tx, by.session_id)
    const link = await ofHost(tx, by.host_id)
      .select(['report_links.room_id', 'meeting_uuid', 'with_note', 'report_links.expires_at'])
      .where('report_links.id', '=', id)
      .executeTakeFirst()
    if (!link) throw notFound('Link')
    const { rows } = await sql<{ meeting: Date }>`
      select started_at as meeting from (${meetingTimes(link.room_id)}) as meetings where id = ${link.meeting_uuid}
    `.execute(tx)
    await tx.deleteFrom('report_links').where('id', '=', id).execute()
    const { expires_at, with_note } = link
    const before = { meeting: rows[0]?.meeting, expires_at, with_note }
    await audit(deps, tx, by, { action: 'report_link_ended', before })
  })
}

export type SharedMeeting = NonNullable<Awaited<ReturnType<typeof findSharedMeeting>>>

/** Returns null for a link that does not work: nobody can tell why. */
export async function findSharedMeeting({ db, now }: Deps, token: string) {
  const found = await db
    .selectFrom('report_links')
    .innerJoin('rooms', 'rooms.id', 'report_links.room_id')
    .innerJoin('hosts', 'hosts.id', 'rooms.host_id')
    .select(['report_links.id', 'rooms.host_id', 'rooms.name as room_name', 'meeting_uuid', 'with_note', 'expires_at'])
    .select(SUBSCRIPTION_COLUMNS)
    .where('token_hash', '=', sha256(token))
    .where('expires_at', '>', new Date(now()))
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  return found && statusAt(found, new Date(now())) === 'active' ? found : null
}

const ofHost = (db: Db, host_id: string) =>
  db
    .selectFrom('report_links')
    .innerJoin('rooms', 'rooms.id', 'report_links.room_id')
    .where('rooms.host_id', '=', host_id)
