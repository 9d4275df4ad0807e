import type { RecordingState } from '../../../shared/rooms.ts'
import type { Tx } from '../../db/client.ts'
import type { Deps } from '../../deps.ts'
import { isUuid } from '../../lib/uuid.ts'
import {
  type Effect,
  NOBODY,
  readTold,
  roomOf,
  type Told,
  type ToldRoom,
  timeOf,
  type Work,
} from '../../zoom/webhook-event.ts'
import { MeetingEvent, ParticipantEvent } from '../../zoom/webhook-schemas.ts'
import { isIn, knowSitting, peopleIn, type Sitting, tellLife, tellPerson, tellRecording } from './sittings.ts'

export const meetingStarted: Work = async (deps, tx, told) => {
  const found = await findSitting(tx, told, readTold(MeetingEvent, told.payload.object))
  if (!found) return NOBODY
  await tellLife(tx, found.sitting, true, told.at)
  return everybodyOf(deps, found.room) // the sitting before it is over by that, whoever was in it
}

/** Ends every presence, whether or not Zoom tells of each. */
export const meetingEnded: Work = async (deps, tx, told) => {
  const found = await findSitting(tx, told, readTold(MeetingEvent, told.payload.object))
  if (!found) return NOBODY
  await tellLife(tx, found.sitting, false, told.at)
  return everybodyOf(deps, found.room)
}

export const participantJoined: Work = (deps, tx, told) => participantMoved(deps, tx, told, true)
export const participantLeft: Work = (deps, tx, told) => participantMoved(deps, tx, told, false)

async function participantMoved(deps: Deps, tx: Tx, told: Told, isJoining: boolean): Promise<Effect> {
  const event = readTold(ParticipantEvent, told.payload.object)
  const found = await findSitting(tx, told, event)
  if (!found) return NOBODY
  const { room, sitting } = found
  // Who joins proves that the meeting runs; who leaves may do so because it has ended.
  if (isJoining) await tellLife(tx, sitting, true, told.at)
  else await knowSitting(tx, sitting)

  const { participant_uuid, user_id } = event.participant
  const person = await personOf(tx, room, event)
  if (!person) return { host_id: room.host_id }
  const joining = { participant: participant_uuid || user_id || person, room_user_id: person }
  await tellPerson(tx, sitting, joining, isJoining, told.at)
  return {
    host_id: room.host_id,
    async afterwards() {
      const live = await liveRoomOf(deps, room.host_id)
      await live?.setInMeeting(person, await isIn(deps.db, room.id, person))
    },
  }
}

/** What the cloud recording of a sitting does since that moment. */
export function recordingIs(state: RecordingState): Work {
  return async (_deps, tx, told) => {
    const found = await findSitting(tx, told, readTold(MeetingEvent, told.payload.object))
    if (!found) return NOBODY
    if (state === 'none') await knowSitting(tx, found.sitting)
    else await tellLife(tx, found.sitting, true, told.at)
    await tellRecording(tx, found.sitting, state, told.at)
    return { host_id: found.room.host_id }
  }
}

/** A host's other meetings, its personal one among them, are not its room's. */
async function findSitting(
  tx: Tx,
  told: Told,
  event: MeetingEvent,
): Promise<{ room: ToldRoom; sitting: Sitting } | null> {
  const room = await roomOf(tx, told.account_id, event.host_id)
  if (!room || room.zoom_meeting_id !== event.id) return null
  const began_at = timeOf(event.start_time) ?? told.at
  return { room, sitting: { room_id: room.id, meeting_id: event.id, meeting_uuid: event.uuid, began_at } }
}

/**
 * The host as a Zoom user, or whoever's phone it is: the key that we gave it is the user's id. Some clients leave its
 * dashes out, to stay under 36 characters.
 */
async function personOf(tx: Tx, room: ToldRoom, { host_id, participant }: ParticipantEvent): Promise<string | null> {
  if (host_id === participant.participant_user_id || host_id === participant.id) return room.host_id
  const key = participant.customer_key ?? ''
  const id = key.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5').toLowerCase()
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

function everybodyOf(deps: Deps, room: ToldRoom): Effect {
  return { host_id: room.host_id, afterwards: () => showPeople(deps, room.host_id, room.id) }
}

/** Shows in the live room who is in its meeting. */
export async function showPeople(deps: Deps, host_id: string, room_id: string): Promise<void> {
  const live = await liveRoomOf(deps, host_id)
  await live?.setPeopleInMeeting(await peopleIn(deps.db, room_id))
}

/** A room that no node holds reads it all when it is loaded. Whether another node holds it, this one cannot know. */
export async function liveRoomOf({ rooms, config }: Deps, host_id: string) {
  return config.REDIS_URL ? rooms.of(host_id) : rooms.held(host_id)
}
