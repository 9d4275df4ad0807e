import { sql } from 'kysely'
import { DAY_MS } from '../../../shared/dates.ts'
import { hostUserId } from '../../../shared/host-ids.ts'
import type { Host } from '../../../shared/hosts.ts'
import { readSubscription } from '../../../shared/subscription-dates.ts'
import type { Deps } from '../../deps.ts'
import { notFound } from '../../errors.ts'
import { dailyLimitWarning } from '../../zoom/meeting-writes.ts'
import { archiveState, inGb, unarchived, unarchivedByHost, waitingForSpace } from '../recordings/archive/to-archive.ts'
import { listRoomsInUse } from '../rooms/rooms-in-use.ts'
import { scopeWarnings } from '../zoom-accounts/account-warnings.ts'

/** The data of a deleted host is kept this long. */
export const RETENTION_MS = 30 * DAY_MS

export async function findHost(deps: Deps, id: string): Promise<Host> {
  const row = await hostRows(deps)
    .select((eb) =>
      eb
        .selectFrom('room_users')
        .select(sql<number>`count(*)::int`.as('count'))
        .whereRef('room_users.room_id', '=', 'rooms.id')
        .as('user_count'),
    )
    .select([waitingForSpace(deps).as('waiting'), unarchived(deps).as('unarchived')])
    .where('hosts.id', '=', id)
    .where('hosts.deleted_at', 'is', null)
    .executeTakeFirst()
  if (!row) throw notFound('Host')
  const is_live = (await listRoomsInUse(deps, id)).length > 0
  return readHost(deps, { ...row, is_live })
}

/** Counts for all hosts in one query each: a subquery per host would dominate with thousands of hosts. */
export async function listHosts(deps: Deps, deleted: boolean): Promise<Host[]> {
  const rows = await hostRows(deps)
    .where('hosts.deleted_at', deleted ? 'is not' : 'is', null)
    .orderBy('hosts.numerical_id', 'desc')
    .execute()
  const counted = await deps.db
    .selectFrom('room_users')
    .select(['room_id', sql<number>`count(*)::int`.as('count')])
    .groupBy('room_id')
    .execute()
  const users = new Map(counted.map(({ room_id, count }) => [room_id, count]))
  const held = await unarchivedByHost(deps)
  const live = new Set((await listRoomsInUse(deps)).map(({ host_id }) => host_id))
  return Promise.all(
    rows.map((row) => {
      const { waiting = 0, unarchived = 0 } = held.get(row.id) ?? {}
      const is_live = live.has(row.id)
      return readHost(deps, { ...row, user_count: users.get(row.room_id) ?? 0, waiting, unarchived, is_live })
    }),
  )
}

function hostRows({ db }: Deps) {
  return db
    .selectFrom('hosts')
    .innerJoin('rooms', 'rooms.host_id', 'hosts.id')
    .leftJoin('zoom_links', 'zoom_links.host_id', 'hosts.id')
    .selectAll('hosts')
    .select(['rooms.id as room_id', 'rooms.name as room_name', 'rooms.zoom_meeting_id'])
    .select(['zoom_links.email as zoom_email', 'zoom_links.pmi', 'zoom_links.reconnect_needed', 'zoom_links.warnings'])
    .select(['zoom_links.scopes', 'zoom_links.meeting_writes', 'zoom_links.meeting_writes_day'])
}

type HostRow = Awaited<ReturnType<ReturnType<typeof hostRows>['executeTakeFirstOrThrow']>> & {
  user_count: number | null
  waiting: number
  unarchived: number
  is_live: boolean
}

async function readHost({ rooms, now }: Deps, row: HostRow): Promise<Host> {
  const live = await rooms.getIfInUse(row.id)
  const { message } = archiveState(row)
  const archiveWarning = message === null ? [] : [{ code: 'archive_full', message }]
  const connected = row.zoom_email !== null && !row.reconnect_needed
  return {
    id: row.id,
    numerical_id: row.numerical_id,
    user_id: hostUserId(row.numerical_id),
    username: row.username,
    email: row.email,
    mobile: row.mobile,
    full_name: row.full_name,
    role: 'host',
    is_active: row.is_active,
    is_online: live?.isOnline(row.id) ?? false,
    storage_limit_gb: row.storage_limit_gb,
    storage_used_gb: inGb(row.storage_used_bytes),
    recording_enabled: row.recording_enabled,
    room_name: row.room_name,
    rooms: [{ name: row.room_name, zoom_meeting_id: row.zoom_meeting_id }],
    zoom_user_email: row.zoom_email,
    zoom_connected: connected,
    zoom_status: row.zoom_email === null ? 'not_connected' : connected ? 'connected' : 'reconnect_needed',
    zoom_warnings: [
      ...(row.warnings ?? []),
      ...scopeWarnings(row.scopes),
      ...dailyLimitWarning(row, now()),
      ...archiveWarning,
    ],
    zoom_pmi: row.pmi,
    is_live: row.is_live,
    unarchived_recordings: row.unarchived,
    user_count: row.user_count ?? 0,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
    last_seen: row.last_seen?.toISOString() ?? null,
    login_time: row.login_time?.toISOString() ?? null,
    last_login_ip: row.last_login_ip,
    ip_address: row.ip_address,
    device_id: row.device_id,
    device_model: row.device_model,
    platform: row.platform,
    app_version: row.app_version,
    ...readSubscription(row, new Date(now())),
    deleted_at: row.deleted_at?.toISOString() ?? null,
    purge_at: row.deleted_at ? new Date(row.deleted_at.getTime() + RETENTION_MS).toISOString() : null,
  }
}
