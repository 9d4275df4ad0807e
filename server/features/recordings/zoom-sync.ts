import pLimit from 'p-limit'
import { startOfDay, utcDay } from '../../../shared/dates.ts'
import type { Deps } from '../../deps.ts'
import { listRecordings } from '../../zoom/calls.ts'
import { type Deadline, deadlineIn, ZOOM_TIMEOUT_MS } from '../../zoom/deadline.ts'
import { isFault, ZoomError } from '../../zoom/errors.ts'
import type { ZoomRecording, ZoomRecordingList } from '../../zoom/schemas.ts'
import { markMissingRecordings, storeRecordings } from './recording-index.ts'
import { type DateWindow, recordingWindows } from './windows.ts'

/** Zoom lists nothing older than about six months, even if it still has it. */
const LOOKBACK_DAYS = 184
/** Older recordings may be missing from a list only because of their age. */
const CERTAIN_DAYS = 175
const WINDOWS_AT_ONCE = 3
const MAX_PAGES = 50

export interface RecordedRoom {
  id: string
  host_id: string
  zoom_meeting_id: string | null
}

/** Syncs the index with Zoom's list since that day. Returns false if Zoom failed. */
export function syncRecordings(deps: Deps, room: RecordedRoom, from: Temporal.PlainDate): Promise<boolean> {
  return deps.recordingSyncs.run(`${room.id} ${from}`, async () => {
    try {
      await sync(deps, room, from)
      return true
    } catch (error) {
      const isFreePlan = isFault(error, 'refused') && error.details.code === 200 // a free plan has no cloud recordings
      if (isFreePlan) return true
      deps.log.warn({ err: error, host_id: room.host_id }, 'zoom.recordings_not_listed')
      return false
    }
  })
}

async function sync(deps: Deps, room: RecordedRoom, from: Temporal.PlainDate): Promise<void> {
  const listedAt = new Date(deps.now())
  const today = utcDay(deps.now())
  const since = latest(from, today.subtract({ days: LOOKBACK_DAYS }))
  const deadline = deadlineIn(ZOOM_TIMEOUT_MS)
  const isOfRoom = await roomFilter(deps, room)

  const windows = recordingWindows(since, today.add({ days: 1 }))
  const limit = pLimit(WINDOWS_AT_ONCE)
  const listed = await limit
    .map(windows, (window) => readWindow(deps, room.host_id, window, deadline))
    .finally(() => limit.clearQueue()) // after a failure the other windows are not worth a call
  await storeRecordings(deps, room.id, listed.flatMap(({ meetings }) => meetings).filter(isOfRoom))

  if (listed.some(({ isClamped }) => isClamped)) return // an incomplete list proves nothing
  // A sitting that began before the first day is not listed, though its file may begin after midnight.
  const certain = latest(since.add({ days: 2 }), today.subtract({ days: CERTAIN_DAYS }))
  await markMissingRecordings(deps, room.id, startOfDay(certain), startOfDay(today.add({ days: 2 })), listedAt)
}

/** Matches the meeting's number, or sittings that were known before the number changed. */
async function roomFilter({ db }: Deps, { id, zoom_meeting_id }: RecordedRoom) {
  const rows = await db.selectFrom('recordings').select('meeting_uuid').distinct().where('room_id', '=', id).execute()
  const known = new Set(rows.map(({ meeting_uuid }) => meeting_uuid))
  return (recording: ZoomRecording) => recording.id === zoom_meeting_id || known.has(recording.uuid)
}

async function readWindow({ zoom }: Deps, hostId: string, { from, to }: DateWindow, deadline: Deadline) {
  const meetings: ZoomRecording[] = []
  let page: string | null = null
  let seenFrom = from
  for (let read = 0; read < MAX_PAGES; read++) {
    const list: ZoomRecordingList = await zoom.callFor(hostId, listRecordings(from, to, page), deadline)
    meetings.push(...list.meetings)
    seenFrom = list.from || seenFrom
    page = list.next_page_token || null
    if (!page) return { meetings, isClamped: seenFrom > from }
  }
  throw new ZoomError('unavailable', 'Zoom’s list of recordings does not end')
}

function latest(a: Temporal.PlainDate, b: Temporal.PlainDate): Temporal.PlainDate {
  return Temporal.PlainDate.compare(a, b) > 0 ? a : b
}
