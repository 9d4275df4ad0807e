import type { RecordingState } from '../../../shared/rooms.ts'
import { SEAT_KEY_PREFIX } from '../../../shared/seat.ts'
import type { Tx } from '../../db/client.ts'
import type { Deps } from '../../deps.ts'
import { isUuid, withDashes } from '../../lib/uuid.ts'
import { parseTime } from '../../zoom/schemas.ts'
import {
  type HandlerResult,
  IGNORED,
  type LockedRoom,
  lockRoomOfZoomUser,
  parsePayload,
  type WebhookEvent,
  type WebhookHandler,
} from '../../zoom/webhook-event.ts'
import { MeetingEvent, ParticipantEvent } from '../../zoom/webhook-schemas.ts'
import {
  ensureSitting,
  findLiveSitting,
  isInMeeting,
  listPeopleInMeeting,
  recordPresence,
  type Sitting,
  setRecordingState,
  upsertSitting,
} from './sittings.ts'
import { recordZoomAppJoin } from './zoom-app-joins.ts'

const meetingStarted: WebhookHandler = async (deps, tx, event) => {
  const found = await findSitting(tx, event, parsePayload(MeetingEvent, event.payload.object))
  if (!found) return IGNORED
  await upsertSitting(tx, found.sitting, true, event.at)
  return withMeeting(deps, found.room) // the previous sitting has ended
}

/** Ends all presences, even if Zoom sends no event for each. */
const meetingEnded: WebhookHandler = async (deps, tx, event) => {
  const found = await findSitting(tx, event, parsePayload(MeetingEvent, event.payload.object))
  if (!found) return IGNORED
  await upsertSitting(tx, found.sitting, false, event.at)
  return withMeeting(deps, found.room)
}

function participantMoved(isJoin: boolean): WebhookHandler {
  return async (deps, tx, event) => {
    const payload = parsePayload(ParticipantEvent, event.payload.object)
    const found = await findSitting(tx, event, payload)
    if (!found) return IGNORED
    const { room, sitting } = found
    // A join proves that the meeting runs; a leave may come because it has ended.
    if (isJoin) await upsertSitting(tx, sitting, true, event.at)
    else await ensureSitting(tx, sitting)

    const { participant_uuid, user_id } = payload.participant
    const room_user_id = await findRoomUserId(tx, room, payload)
    const joining = participant_uuid || user_id
    if (deps.config.HOST_SEAT && joining && !payload.participant.customer_key) {
      const who = { participant: joining, is_host: room_user_id === room.host_id }
      await recordZoomAppJoin(tx, sitting, who, isJoin, event.at)
    }
    if (!room_user_id) return { host_id: room.host_id }
    const participant = joining || room_user_id
    await recordPresence(tx, sitting, { participant, room_user_id }, isJoin, event.at)
    return {
      host_id: room.host_id,
      async afterCommit() {
        const live = await deps.rooms.getIfInUse(room.host_id)
        await live?.commands.setInMeeting(room_user_id, await isInMeeting(deps.db, room.id, room_user_id))
        // Guests from another account than the app's wait for the host, not for the meeting.
        if (isJoin && room_user_id === room.host_id)
          await live?.commands.announceMeeting(await liveSittingId(deps, room.id))
      },
    }
  }
}

function recordingIs(state: RecordingState): WebhookHandler {
  return async (_deps, tx, event) => {
    const found = await findSitting(tx, event, parsePayload(MeetingEvent, event.payload.object))
    if (!found) return IGNORED
    if (state === 'none') await ensureSitting(tx, found.sitting)
    else await upsertSitting(tx, found.sitting, true, event.at)
    await setRecordingState(tx, found.sitting, state, event.at)
    return { host_id: found.room.host_id }
  }
}

export const roomWebhookHandlers: Record<string, WebhookHandler> = {
  'meeting.started': meetingStarted,
  'meeting.ended': meetingEnded,
  'meeting.participant_joined': participantMoved(true),
  'meeting.participant_left': participantMoved(false),
  'recording.started': recordingIs('recording'),
  'recording.paused': recordingIs('paused'),
  'recording.resumed': recordingIs('recording'),
  'recording.stopped': recordingIs('none'),
}

/** Ignores a host's other meetings, such as its personal one. */
async function findSitting(
  tx: Tx,
  { account_id, at }: WebhookEvent,
  { host_id, id, uuid, start_time }: MeetingEvent,
): Promise<{ room: LockedRoom; sitting: Sitting } | null> {
  const room = await lockRoomOfZoomUser(tx, account_id, host_id)
  if (!room || room.zoom_meeting_id !== id) return null
  const started_at = parseTime(start_time)
  const sitting = { room_id: room.id, meeting_id: id, meeting_uuid: uuid, began_at: started_at ?? at, started_at }
  return { room, sitting }
}

/**
 * Finds the host by its Zoom user, or a phone's user by its customer key, which is the user's id. The host's seat is
 * nobody's phone.
 */
async function findRoomUserId(
  tx: Tx,
  room: LockedRoom,
  { host_id, participant }: ParticipantEvent,
): Promise<string | null> {
  const key = participant.customer_key ?? ''
  if (key.startsWith(SEAT_KEY_PREFIX)) return null // it reports itself
  if (host_id === participant.participant_user_id || host_id === participant.id) return room.host_id
  const id = withDashes(key)
  if (!isUuid(id)) return null
  if (id === room.host_id) return id
  const user = await tx
    .selectFrom('room_users')
    .select('id')
    .where('id', '=', id)
    .where('room_id', '=', room.id)
    .executeTakeFirst()
  return user?.id ?? null
}

function withMeeting(deps: Deps, { host_id, id }: LockedRoom): HandlerResult {
  return { host_id, afterCommit: () => publishMeeting(deps, host_id, id) }
}

/** Publishes the people in the meeting, and its state. */
export async function publishMeeting(deps: Deps, host_id: string, room_id: string): Promise<void> {
  const live = await deps.rooms.getIfInUse(host_id) // otherwise the room reads it when it loads
  await live?.commands.setPeopleInMeeting(await listPeopleInMeeting(deps.db, room_id))
  await live?.commands.announceMeeting(await liveSittingId(deps, room_id))
}

const liveSittingId = async ({ db }: Deps, room_id: string) =>
  (await findLiveSitting(db, room_id))?.meeting_uuid ?? null
