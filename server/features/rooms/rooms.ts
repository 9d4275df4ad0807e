import type { Room } from '../../../shared/rooms.ts'
import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors.ts'
import { hasStarterLeft, isStartedByLink } from './host-presence.ts'
import { liveSitting, usersInMeeting } from './sittings.ts'
import { decryptPasscode } from './stored-passcode.ts'
import { zoomApps } from './zoom-app-joins.ts'

/** Returns the host's one room; `password` is the passcode of its Zoom meeting. */
export async function findRoom(deps: Deps, { host_id }: { host_id: string }): Promise<Room> {
  const row = await deps.db
    .selectFrom('rooms')
    .innerJoin('hosts', 'hosts.id', 'rooms.host_id')
    .leftJoin('zoom_links', 'zoom_links.host_id', 'rooms.host_id')
    .selectAll('rooms')
    .select(['hosts.is_active', 'hosts.recording_enabled', 'zoom_links.reconnect_needed', 'zoom_links.zoom_account_id'])
    .where('hosts.id', '=', host_id)
    .executeTakeFirst()
  if (!row) throw new AppError('not_found', 'Room not found')
  const live = await deps.rooms.get(host_id)
  return {
    room_id: row.id,
    room_name: row.name,
    name: row.name,
    zoom_meeting_id: row.zoom_meeting_id,
    password: decryptPasscode(deps, row),
    user_count: live.counts().total,
    is_active: row.is_active,
    recording_enabled: row.recording_enabled,
    zoom_status: zoomStatus(row.reconnect_needed),
    ...(await meetingNow(deps, row)),
    server_time: new Date(deps.now()).toISOString(),
  }
}

function zoomStatus(reconnectNeeded: boolean | null): Room['zoom_status'] {
  if (reconnectNeeded === null) return 'not_connected'
  return reconnectNeeded ? 'reconnect_needed' : 'connected'
}

type StoredRoom = { id: string; host_id: string; zoom_account_id: string | null; start_requested_at: Date | null }

/** Consoles poll it, so that all of it is one query. */
async function meetingNow(deps: Deps, room: StoredRoom) {
  const { db, config } = deps
  const sitting = await liveSitting(db, room.id)
    .select((eb) => usersInMeeting(eb, room.host_id).as('participant_count'))
    .$if(config.HOST_SEAT, (query) =>
      query.select((eb) => [
        zoomApps(eb, { is_host: false }).as('others'),
        zoomApps(eb, { is_host: true }).as('hosts'),
        hasStarterLeft(eb, room.host_id).as('has_starter_left'),
      ]),
    )
    .executeTakeFirst()
  return {
    is_live: sitting !== undefined,
    recording: sitting?.recording ?? 'none',
    meeting_uuid: sitting?.meeting_uuid ?? null,
    live_since: sitting?.started_at?.toISOString() ?? null,
    recording_since: sitting?.recording_since?.toISOString() ?? null,
    recorded_seconds: Math.round((sitting?.recorded_ms ?? 0) / 1000),
    participant_count: sitting ? Number(sitting.participant_count) : null,
    ...(config.HOST_SEAT && { in_zoom_app: sitting ? await inZoomApp(deps, room, sitting) : null }),
  }
}

interface CountedSitting {
  started_at: Date | null
  others?: string | null
  hosts?: string | null
  has_starter_left?: unknown
}

async function inZoomApp(
  deps: Deps,
  { zoom_account_id, start_requested_at }: StoredRoom,
  { started_at, others, hosts, has_starter_left }: CountedSitting,
) {
  const has_host = Number(hosts) > 0 || (!has_starter_left && isStartedByLink(started_at, start_requested_at))
  const admits_seat_as_guest = has_host && zoom_account_id === (await deps.zoom.appAccount())
  return { others: Number(others), has_host, admits_seat_as_guest }
}

export async function requireRoomAtZoom({ db }: Deps, host_id: string) {
  const room = await db
    .selectFrom('rooms')
    .innerJoin('hosts', 'hosts.id', 'rooms.host_id')
    .innerJoin('zoom_links', 'zoom_links.host_id', 'rooms.host_id')
    .select(['rooms.id', 'rooms.host_id', 'rooms.zoom_meeting_id', 'hosts.recording_enabled'])
    .where('rooms.host_id', '=', host_id)
    .executeTakeFirst()
  if (!room?.zoom_meeting_id) throw new AppError('room_not_connected', 'Zoom is not connected for this room.')
  return { ...room, zoom_meeting_id: room.zoom_meeting_id }
}
