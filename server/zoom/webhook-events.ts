import type { Deps } from '../deps.ts'
import { storeRecordings } from '../recordings/recording-index.ts'
import { isUuid } from '../uuid.ts'
import { ParticipantMoved, RecordingCompleted, type ZoomWebhook } from './schemas.ts'

/** What Zoom tells us has happened. Events may come twice and in any order; those that we have no use for are let be. */
export async function workOn(deps: Deps, { event, payload }: ZoomWebhook): Promise<void> {
  const account_id = payload.account_id ?? ''
  switch (event) {
    case 'meeting.participant_joined':
    case 'meeting.participant_left':
      return participantMoved(deps, account_id, payload.object, event === 'meeting.participant_joined')
    case 'recording.completed':
      return recordingCompleted(deps, account_id, payload.object)
  }
}

async function participantMoved(deps: Deps, account_id: string, object: unknown, isIn: boolean): Promise<void> {
  const { id, host_id, participant } = ParticipantMoved.parse(object)
  const room = await findRoom(deps, account_id, host_id)
  const user = userIdOf(participant.customer_key ?? '')
  if (!user || !room || room.zoom_meeting_id !== id) return
  const live = await deps.rooms.of(room.host_id)
  live.setInMeeting(user, isIn)
}

async function recordingCompleted(deps: Deps, account_id: string, object: unknown): Promise<void> {
  const { host_id, ...recording } = RecordingCompleted.parse(object)
  const room = await findRoom(deps, account_id, host_id)
  if (room && room.zoom_meeting_id === recording.id) await storeRecordings(deps, room.id, [recording])
}

/** The room of a Zoom user, known by Zoom's own ids. What else an event claims moves nothing between hosts. */
function findRoom({ db }: Deps, account_id: string, zoom_user_id: string) {
  return db
    .selectFrom('zoom_links')
    .innerJoin('rooms', 'rooms.host_id', 'zoom_links.host_id')
    .select(['rooms.id', 'rooms.host_id', 'rooms.zoom_meeting_id'])
    .where('zoom_account_id', '=', account_id)
    .where('zoom_user_id', '=', zoom_user_id)
    .executeTakeFirst()
}

/** The key that we gave the phone is the user's id; some clients leave its dashes out, to stay under 36 characters. */
function userIdOf(key: string): string | null {
  const dashed = key.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
  return isUuid(dashed) ? dashed.toLowerCase() : null
}
