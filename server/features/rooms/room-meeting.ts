import type { ZoomWarning } from '../../../shared/hosts.ts'
import type { Deps } from '../../deps.ts'
import { createMeeting, deleteMeeting, readMeeting, updateMeeting } from '../../zoom/calls.ts'
import { type Deadline, within, ZOOM_MS } from '../../zoom/deadline.ts'
import { asAppError, isFault } from '../../zoom/errors.ts'
import type { ZoomMeeting } from '../../zoom/schemas.ts'
import { isAsWanted, meetingWarnings, wantedMeeting } from './meeting-settings.ts'
import { newPasscode } from './passcode.ts'

export const passcodeAad = (roomId: string) => `rooms.passcode:${roomId}`

/** Warnings about the room, which each look at its meeting writes anew; the others are about the account. */
const ROOM_WARNING = 'room_'

/**
 * Brings the room's meeting at Zoom in line with the room: makes it, changes it, or makes it again when it is gone.
 * Failing is no reason to fail what came before, such as making the host: it becomes a warning on the host's row.
 */
export async function connectRoom(deps: Deps, host_id: string): Promise<void> {
  await deps.meetingMutex.run(host_id, async () => {
    const room = await findRoom(deps, host_id)
    if (!room) return
    try {
      await keepWarnings(deps, host_id, await settleMeeting(deps, room, within(ZOOM_MS)))
    } catch (error) {
      deps.log.warn({ err: error, host_id }, "The room's meeting at Zoom could not be made or changed")
      const { message } = asError(asAppError(error))
      const warning = {
        code: 'room_not_updated',
        message: `The room’s meeting at Zoom could not be brought up to date. ${message}`,
      }
      await keepWarnings(deps, host_id, [warning])
    }
    const live = await deps.rooms.of(host_id)
    await live.setMeeting(await meetingOf(deps, host_id))
  })
}

/** The room was renamed, or recording switched; nothing where Zoom is not connected. */
export async function updateRoomMeeting(deps: Deps, host_id: string): Promise<void> {
  await connectRoom(deps, host_id)
}

/** The meeting's passcode, for the host's own eyes and for join tickets. */
export function roomPasscode(
  { secrets, log }: Pick<Deps, 'secrets' | 'log'>,
  room: { id: string; passcode_ciphertext: string | null },
): string | null {
  if (!room.passcode_ciphertext) return null
  try {
    return secrets.decrypt(room.passcode_ciphertext, passcodeAad(room.id))
  } catch (err) {
    log.error({ err, room_id: room.id }, 'The passcode of a room cannot be decrypted')
    return null
  }
}

function findRoom({ db }: Deps, host_id: string) {
  return db
    .selectFrom('rooms')
    .innerJoin('hosts', 'hosts.id', 'rooms.host_id')
    .innerJoin('zoom_links', 'zoom_links.host_id', 'rooms.host_id')
    .select(['rooms.id', 'rooms.host_id', 'rooms.name', 'rooms.zoom_meeting_id', 'hosts.recording_enabled'])
    .where('rooms.host_id', '=', host_id)
    .where('hosts.deleted_at', 'is', null)
    .executeTakeFirst()
}

type Room = NonNullable<Awaited<ReturnType<typeof findRoom>>>

async function settleMeeting(deps: Deps, room: Room, deadline: Deadline): Promise<ZoomWarning[]> {
  const wanted = wantedMeeting(room)
  const held = room.zoom_meeting_id ? await findMeeting(deps, room, room.zoom_meeting_id, deadline) : null
  if (!held) return meetingWarnings(wanted, await makeMeeting(deps, room, deadline))
  if (isAsWanted(wanted, held)) return meetingWarnings(wanted, held)
  await deps.zoom.callFor(room.host_id, updateMeeting(held.id, wanted), deadline)
  const changed = await deps.zoom.callFor(room.host_id, readMeeting(held.id), deadline)
  return meetingWarnings(wanted, changed)
}

async function findMeeting(deps: Deps, room: Room, id: string, deadline: Deadline): Promise<ZoomMeeting | null> {
  try {
    return await deps.zoom.callFor(room.host_id, readMeeting(id), deadline)
  } catch (error) {
    if (isFault(error, 'not_found')) return null
    throw error
  }
}

async function makeMeeting(deps: Deps, room: Room, deadline: Deadline): Promise<ZoomMeeting> {
  const password = newPasscode()
  const made = await deps.zoom.callFor(room.host_id, createMeeting({ ...wantedMeeting(room), password }), deadline)
  const read = await deps.zoom.callFor(room.host_id, readMeeting(made.id), deadline).catch(() => made)
  const isOurs = await storeMeeting(deps, room, made.id, read.password || made.password || password)
  // Another process was faster, or the host was disconnected meanwhile.
  if (!isOurs) await deps.zoom.callFor(room.host_id, deleteMeeting(made.id), deadline).catch(() => {})
  return read
}

async function storeMeeting(deps: Deps, room: Room, meetingId: string, passcode: string): Promise<boolean> {
  const stored = await deps.db
    .updateTable('rooms')
    .set({
      zoom_meeting_id: meetingId,
      passcode_ciphertext: deps.secrets.encrypt(passcode, passcodeAad(room.id)),
      new_passcode_wanted_at: null,
    })
    .where('id', '=', room.id)
    .where('zoom_meeting_id', 'is not distinct from', room.zoom_meeting_id)
    .where((eb) => eb.exists(eb.selectFrom('zoom_links').select('host_id').where('host_id', '=', room.host_id)))
    .returning('id')
    .executeTakeFirst()
  return stored !== undefined
}

async function keepWarnings(deps: Deps, host_id: string, found: ZoomWarning[]): Promise<void> {
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
      .set({ warnings: JSON.stringify([...ofAccount, ...found]) })
      .where('host_id', '=', host_id)
      .execute()
  })
}

async function meetingOf({ db }: Deps, host_id: string): Promise<string | null> {
  const room = await db.selectFrom('rooms').select('zoom_meeting_id').where('host_id', '=', host_id).executeTakeFirst()
  return room?.zoom_meeting_id ?? null
}

const asError = (error: unknown) => (error instanceof Error ? error : new Error(String(error)))
