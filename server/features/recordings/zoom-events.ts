import type { Tx } from '../../db/client.ts'
import type { Deps } from '../../deps.ts'
import { type Effect, NOBODY, readTold, roomOf, type Told, type ToldRoom, type Work } from '../../zoom/webhook-event.ts'
import { BatchOfFiles, BatchTrashed, RecordingFilesEvent, Renamed } from '../../zoom/webhook-schemas.ts'
import { fileKey, storeRecordings } from './recording-index.ts'
import { applyMarks, type Place, tellPlace, tellTopic } from './recording-marks.ts'

/** Files are added one by one: an event may tell of some, and leave others out. */
export const recordingCompleted: Work = async (deps, tx, told) => {
  const { host_id, ...recording } = readTold(RecordingFilesEvent, told.payload.object)
  const room = await roomOf(tx, told.account_id, host_id)
  if (!room || !(await isOfRoom(tx, room, recording))) return NOBODY
  await storeRecordings({ ...deps, db: tx }, room.id, [recording], told.at)
  await applyMarks(tx, told.account_id, [recording.uuid])
  return { host_id: room.host_id }
}

export const filesTrashed: Work = (_deps, tx, told) => filesMoved(tx, told, 'trashed')
export const filesRecovered: Work = (deps, tx, told) => filesBack(deps, tx, told)
export const filesDeleted: Work = (_deps, tx, told) => filesMoved(tx, told, 'deleted')

async function filesMoved(tx: Tx, told: Told, place: Place): Promise<Effect> {
  const { host_id: zoom_user_id, uuid, recording_files } = readTold(RecordingFilesEvent, told.payload.object)
  const room = await roomOf(tx, told.account_id, zoom_user_id)
  if (!room) return NOBODY
  const keys = recording_files.length > 0 ? recording_files.map(fileKey) : ['']
  const marks = keys.map((zoom_file_id) => ({ meeting_uuid: uuid, zoom_file_id }))
  const { host_id } = room
  await tellPlace(tx, { zoom_account_id: told.account_id, host_id }, marks, place, told.at)
  return { host_id }
}

/** It tells of the files as a completed recording does, which helps where they were not known. */
async function filesBack(deps: Deps, tx: Tx, told: Told): Promise<Effect> {
  await recordingCompleted(deps, tx, told)
  return filesMoved(tx, told, 'kept')
}

/** What happens to many at once is told in these events alone, without whose they are. */
export const manyTrashed: Work = async (_deps, tx, told) => {
  const { meeting_uuids } = readTold(BatchTrashed, told.payload.object)
  const marks = meeting_uuids.map((meeting_uuid) => ({ meeting_uuid, zoom_file_id: '' }))
  return manyMoved(tx, told, marks, 'trashed')
}

export const manyRecovered: Work = (_deps, tx, told) => manyMoved(tx, told, batchOf(told), 'kept')
export const manyDeleted: Work = (_deps, tx, told) => manyMoved(tx, told, batchOf(told), 'deleted')

function batchOf({ payload }: Told) {
  return readTold(BatchOfFiles, payload.object).meetings.flatMap(({ meeting_uuid, recording_file_ids }) =>
    (recording_file_ids?.length ? recording_file_ids : ['']).map((zoom_file_id) => ({ meeting_uuid, zoom_file_id })),
  )
}

async function manyMoved(tx: Tx, told: Told, marks: Parameters<typeof tellPlace>[2], place: Place): Promise<Effect> {
  const link = await tx
    .selectFrom('zoom_links')
    .select('host_id')
    .where('zoom_account_id', '=', told.account_id)
    .executeTakeFirst()
  if (!link) return NOBODY
  await tellPlace(tx, { zoom_account_id: told.account_id, host_id: null }, marks, place, told.at)
  return { host_id: link.host_id }
}

export const recordingRenamed: Work = async (_deps, tx, told) => {
  const { object, recording_file } = readTold(Renamed, told.payload)
  const topic = recording_file?.topic ?? object.topic
  const room = await roomOf(tx, told.account_id, object.host_id)
  if (!room || typeof topic !== 'string') return NOBODY
  const { host_id } = room
  await tellTopic(tx, { zoom_account_id: told.account_id, host_id }, object.uuid, topic, told.at)
  return { host_id }
}

/** By its meeting's number, or as a sitting that was known before the number changed. */
async function isOfRoom(tx: Tx, room: ToldRoom, { id, uuid }: { id: string; uuid: string }): Promise<boolean> {
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
