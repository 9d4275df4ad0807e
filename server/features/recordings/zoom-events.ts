import type { Tx } from '../../db/client.ts'
import {
  type HandlerResult,
  IGNORED,
  type LockedRoom,
  lockRoomOfZoomUser,
  parsePayload,
  type WebhookEvent,
  type WebhookHandler,
} from '../../zoom/webhook-event.ts'
import { FilesBatch, RecordingFilesEvent, TopicUpdated, TrashedBatch } from '../../zoom/webhook-schemas.ts'
import { fileKey } from './file-key.ts'
import { storeRecordings } from './recording-index.ts'
import { type RecordingMark, type RecordingPlace, reconcileIndex, setPlace, setTopic } from './recording-marks.ts'

/** Adds files one by one, because an event may name only some of them. */
const recordingCompleted: WebhookHandler = async (deps, tx, event) => {
  const { host_id, ...recording } = parsePayload(RecordingFilesEvent, event.payload.object)
  const room = await lockRoomOfZoomUser(tx, event.account_id, host_id)
  if (!room || !(await isOfRoom(tx, room, recording))) return IGNORED
  await storeRecordings({ ...deps, db: tx }, room.id, [recording], event.at)
  await reconcileIndex(tx, event.account_id, [recording.uuid])
  return { host_id: room.host_id }
}

function filesMoved(place: RecordingPlace): WebhookHandler {
  return async (_deps, tx, { account_id, payload, at }) => {
    const { host_id: zoom_user_id, uuid, recording_files } = parsePayload(RecordingFilesEvent, payload.object)
    const room = await lockRoomOfZoomUser(tx, account_id, zoom_user_id)
    if (!room) return IGNORED
    const { host_id } = room
    await setPlace(tx, { zoom_account_id: account_id, host_id }, marksOf(uuid, recording_files.map(fileKey)), place, at)
    return { host_id }
  }
}

/** Lists the files like a completed recording, so that missing ones are added to the index. */
const filesRecovered: WebhookHandler = async (deps, tx, event) => {
  await recordingCompleted(deps, tx, event)
  return filesMoved('kept')(deps, tx, event)
}

const batchTrashed: WebhookHandler = (_deps, tx, event) => {
  const { meeting_uuids } = parsePayload(TrashedBatch, event.payload.object)
  return moveBatch(
    tx,
    event,
    meeting_uuids.flatMap((uuid) => marksOf(uuid)),
    'trashed',
  )
}

function batchMoved(place: RecordingPlace): WebhookHandler {
  return (_deps, tx, event) => {
    const { meetings } = parsePayload(FilesBatch, event.payload.object)
    const marks = meetings.flatMap(({ meeting_uuid, recording_file_ids }) =>
      marksOf(meeting_uuid, recording_file_ids ?? []),
    )
    return moveBatch(tx, event, marks, place)
  }
}

/** A batch event names an account, but no host. */
async function moveBatch(
  tx: Tx,
  { account_id, at }: WebhookEvent,
  marks: RecordingMark[],
  place: RecordingPlace,
): Promise<HandlerResult> {
  const link = await tx
    .selectFrom('zoom_links')
    .select('host_id')
    .where('zoom_account_id', '=', account_id)
    .executeTakeFirst()
  if (!link) return IGNORED
  await setPlace(tx, { zoom_account_id: account_id, host_id: null }, marks, place, at)
  return { host_id: link.host_id }
}

const recordingRenamed: WebhookHandler = async (_deps, tx, { account_id, payload, at }) => {
  const { object, recording_file } = parsePayload(TopicUpdated, payload)
  const topic = recording_file?.topic ?? object.topic
  const room = await lockRoomOfZoomUser(tx, account_id, object.host_id)
  if (!room || typeof topic !== 'string') return IGNORED
  const { host_id } = room
  await setTopic(tx, { zoom_account_id: account_id, host_id }, object.uuid, topic, at)
  return { host_id }
}

export const recordingWebhookHandlers: Record<string, WebhookHandler> = {
  'recording.completed': recordingCompleted,
  'recording.transcript_completed': recordingCompleted,
  'recording.trashed': filesMoved('trashed'),
  'recording.recovered': filesRecovered,
  'recording.deleted': filesMoved('deleted'),
  'recording.batch_trashed': batchTrashed,
  'recording.batch_recovered': batchMoved('kept'),
  'recording.batch_deleted': batchMoved('deleted'),
  'recording.renamed': recordingRenamed,
}

/** Missing file ids mean all files of the sitting. */
function marksOf(meeting_uuid: string, fileIds: string[] = []): RecordingMark[] {
  return (fileIds.length > 0 ? fileIds : ['']).map((zoom_file_id) => ({ meeting_uuid, zoom_file_id }))
}

/** Matches the meeting's number, or a sitting that was known before the number changed. */
async function isOfRoom(tx: Tx, room: LockedRoom, { id, uuid }: { id: string; uuid: string }): Promise<boolean> {
  if (room.zoom_meeting_id === id) return true
  const known = await tx
    .selectFrom('sittings')
    .select('meeting_uuid')
    .where('room_id', '=', room.id)
    .where('meeting_uuid', '=', uuid)
    .union(
      tx
        .selectFrom('recordings')
        .select('meeting_uuid')
        .where('room_id', '=', room.id)
        .where('meeting_uuid', '=', uuid),
    )
    .executeTakeFirst()
  return known !== undefined
}
