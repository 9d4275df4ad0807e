import type { ZoomWarning } from '../../../shared/hosts.ts'
import type { Deps } from '../../deps.ts'
import { createMeeting, deleteMeeting, readMeeting, updateMeeting } from '../../zoom/calls.ts'
import { type Deadline, deadlineIn, ZOOM_TIMEOUT_MS } from '../../zoom/deadline.ts'
import { isFault, toAppError } from '../../zoom/errors.ts'
import type { ZoomMeeting } from '../../zoom/schemas.ts'
import { generatePasscode } from './generate-passcode.ts'
import { storeJoinUrl } from './join-url.ts'
import { desiredMeeting, isUpToDate, meetingWarnings } from './meeting-settings.ts'
import { passcodeAad } from './stored-passcode.ts'

/** Warnings about the room are replaced at each check of its meeting; the others are about the account. */
const ROOM_WARNING = 'room_'

/**
 * Creates the room's meeting at Zoom, updates it, or recreates one that is gone; does nothing if Zoom is not connected.
 * A failure becomes a warning on the host, so that it does not undo earlier steps, such as a new host.
 */
export async function connectRoom(deps: Deps, host_id: string): Promise<void> {
  await deps.meetingMutex.run(host_id, async () => {
    const room = await findRoomToSync(deps, host_id)
    if (!room) return
    try {
      const meeting = await syncMeeting(deps, room, deadlineIn(ZOOM_TIMEOUT_MS))
      await storeWarnings(deps, host_id, meetingWarnings(desiredMeeting(room), meeting))
      await storeJoinUrl(deps, { id: room.id, zoom_meeting_id: meeting.id }, meeting.join_url)
    } catch (error) {
      deps.log.warn({ err: error, host_id }, 'zoom.meeting_not_updated')
      const failure = toAppError(error)
      const message = failure instanceof Error ? failure.message : String(failure)
      const warning = {
        code: 'room_not_updated',
        message: `The room’s meeting at Zoom could not be brought up to date. ${message}`,
      }
      await storeWarnings(deps, host_id, [warning])
    }
  })
}

function findRoomToSync({ db }: Deps, host_id: string) {
  return db
    .selectFrom('rooms')
    .innerJoin('hosts', 'hosts.id', 'rooms.host_id')
    .innerJoin('zoom_links', 'zoom_links.host_id', 'rooms.host_id')
    .select(['rooms.id', 'rooms.host_id', 'rooms.name', 'rooms.zoom_meeting_id', 'hosts.recording_enabled'])
    .where('rooms.host_id', '=', host_id)
    .where('hosts.deleted_at', 'is', null)
    .executeTakeFirst()
}

type RoomToSync = NonNullable<Awaited<ReturnType<typeof findRoomToSync>>>

async function syncMeeting(deps: Deps, room: RoomToSync, deadline: Deadline): Promise<ZoomMeeting> {
  const wanted = desiredMeeting(room)
  const current = room.zoom_meeting_id ? await findMeeting(deps, room, room.zoom_meeting_id, deadline) : null
  if (!current) return createRoomMeeting(deps, room, deadline)
  if (isUpToDate(wanted, current)) return current
  await deps.zoom.callFor(room.host_id, updateMeeting(current.id, wanted), deadline)
  return deps.zoom.callFor(room.host_id, readMeeting(current.id), deadline)
}

async function findMeeting(deps: Deps, room: RoomToSync, id: string, deadline: Deadline): Promise<ZoomMeeting | null> {
  try {
    return await deps.zoom.callFor(room.host_id, readMeeting(id), deadline)
  } catch (error) {
    if (isFault(error, 'not_found')) return null
    throw error
  }
}

async function createRoomMeeting(deps: Deps, room: RoomToSync, deadline: Deadline): Promise<ZoomMeeting> {
  const password = generatePasscode()
  const created = await deps.zoom.callFor(room.host_id, createMeeting({ ...desiredMeeting(room), password }), deadline)
  const read = await deps.zoom.callFor(room.host_id, readMeeting(created.id), deadline).catch(() => created)
  const isStored = await storeMeeting(deps, room, created.id, read.password || created.password || password)
  // Another process was faster, or the host was disconnected meanwhile.
  if (!isStored) await deps.zoom.callFor(room.host_id, deleteMeeting(created.id), deadline).catch(() => {})
  return read
}

async function storeMeeting(deps: Deps, room: RoomToSync, meetingId: string, passcode: string): Promise<boolean> {
  const stored = await deps.db
    .updateTable('rooms')
    .set((eb) => ({
      change_number: eb('change_number', '+', 1),
      zoom_meeting_id: meetingId,
      passcode_ciphertext: deps.secrets.encrypt(passcode, passcodeAad(room.id)),
      passcode_change_requested_at: null,
    }))
    .where('id', '=', room.id)
    .where('zoom_meeting_id', 'is not distinct from', room.zoom_meeting_id)
    .where((eb) => eb.exists(eb.selectFrom('zoom_links').select('host_id').where('host_id', '=', room.host_id)))
    .returning('change_number')
    .executeTakeFirst()
  if (!stored) return false
  await deps.rooms.commit(room.host_id, stored.change_number, [{ type: 'meeting', meeting_id: meetingId }])
  return true
}

async function storeWarnings(deps: Deps, host_id: string, ofRoom: ZoomWarning[]): Promise<void> {
  await deps.db.transaction().execute(async (tx) => {
    const link = await tx
      .selectFrom('zoom_links')
      .select('warnings')
      .where('host_id', '=', host_id)
      .forUpdate()
      .executeTakeFirst()
    if (!link) return
    const ofAccount = link.warnings.filter(({ code }) => !code.startsWith(ROOM_WARNING))
    await tx
      .updateTable('zoom_links')
      .set({ warnings: JSON.stringify([...ofAccount, ...ofRoom]) })
      .where('host_id', '=', host_id)
      .execute()
  })
}
