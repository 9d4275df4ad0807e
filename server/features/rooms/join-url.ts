import type { Deps } from '../../deps.ts'
import { readMeeting } from '../../zoom/calls.ts'
import type { Deadline } from '../../zoom/deadline.ts'
import { decryptPasscode } from './stored-passcode.ts'

interface RoomWithMeeting {
  id: string
  zoom_meeting_id: string
}

/** Binds a URL to one meeting and passcode: once either changes, a stored URL cannot be decrypted. */
export const joinUrlAad = ({ id, zoom_meeting_id }: RoomWithMeeting, passcode: string | null) =>
  `rooms.join_url:${id}:${zoom_meeting_id}:${passcode ?? ''}`

async function findStored(deps: Deps, { id, zoom_meeting_id }: RoomWithMeeting) {
  const found = await deps.db
    .selectFrom('rooms')
    .select(['id', 'passcode_ciphertext', 'join_url_ciphertext'])
    .where('id', '=', id)
    .where('zoom_meeting_id', '=', zoom_meeting_id)
    .executeTakeFirst()
  if (!found) return null
  const aad = joinUrlAad({ id, zoom_meeting_id }, decryptPasscode(deps, found))
  return { aad, join_url: found.join_url_ciphertext && decryptOrNull(deps, found.join_url_ciphertext, aad) }
}

function decryptOrNull({ secrets }: Deps, ciphertext: string, aad: string): string | null {
  try {
    return secrets.decrypt(ciphertext, aad)
  } catch {
    return null // for another meeting or passcode
  }
}

/** Stores Zoom's URL for the meeting. */
export async function storeJoinUrl(deps: Deps, room: RoomWithMeeting, join_url: string | null | undefined) {
  if (!join_url) return
  const stored = await findStored(deps, room)
  if (!stored || stored.join_url === join_url) return
  await deps.db
    .updateTable('rooms')
    .set({ join_url_ciphertext: deps.secrets.encrypt(join_url, stored.aad) })
    .where('id', '=', room.id)
    .where('zoom_meeting_id', '=', room.zoom_meeting_id)
    .execute()
}

/** Returns a URL without the passcode if Zoom has to be called and does not answer. */
export async function findJoinUrl(
  deps: Deps,
  room: RoomWithMeeting & { host_id: string },
  deadline: Deadline,
): Promise<string> {
  const stored = await findStored(deps, room)
  if (stored?.join_url) return stored.join_url
  const { host_id, zoom_meeting_id } = room
  try {
    await deps.meetingChecks.run(`join_url:${host_id}`, deps.now(), async () => {
      const { join_url } = await deps.zoom.callFor(host_id, readMeeting(zoom_meeting_id), deadline)
      await storeJoinUrl(deps, room, join_url)
    })
  } catch (err) {
    deps.log.warn({ err, host_id }, 'zoom.join_url_not_read')
  }
  return (await findStored(deps, room))?.join_url || `${deps.config.ZOOM_OAUTH_URL}/j/${zoom_meeting_id}`
}
