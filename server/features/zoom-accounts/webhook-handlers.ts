import type { Tx } from '../../db/client.ts'
import type { Deps } from '../../deps.ts'
import { type Effect, NOBODY, type Told, type Work } from '../../zoom/webhook-event.ts'
import {
  filesDeleted,
  filesRecovered,
  filesTrashed,
  manyDeleted,
  manyRecovered,
  manyTrashed,
  recordingCompleted,
  recordingRenamed,
} from '../recordings/zoom-events.ts'
import { meetingEnded, meetingStarted, participantJoined, participantLeft, recordingIs } from '../rooms/zoom-events.ts'
import { appDeauthorized } from './deauthorize.ts'
import { storageUsageUpdated } from './zoom-events.ts'

/** Every event that means something here. They may come twice and in any order. */
const WORKS: Record<string, Work> = {
  'meeting.started': meetingStarted,
  'meeting.ended': meetingEnded,
  'meeting.participant_joined': participantJoined,
  'meeting.participant_left': participantLeft,
  'recording.started': recordingIs('recording'),
  'recording.paused': recordingIs('paused'),
  'recording.resumed': recordingIs('recording'),
  'recording.stopped': recordingIs('none'),
  'recording.completed': recordingCompleted,
  'recording.trashed': filesTrashed,
  'recording.recovered': filesRecovered,
  'recording.deleted': filesDeleted,
  'recording.batch_trashed': manyTrashed,
  'recording.batch_recovered': manyRecovered,
  'recording.batch_deleted': manyDeleted,
  'recording.renamed': recordingRenamed,
  'recording.cloud_storage_usage_updated': storageUsageUpdated,
  app_deauthorized: appDeauthorized,
}

/** What the app at Zoom has to subscribe to. */
export const ZOOM_EVENTS = Object.keys(WORKS)

/** Others are answered and not kept: waiting rooms, chats and transcripts are none of our business. */
export function isOfUse(event: string): boolean {
  return Object.hasOwn(WORKS, event)
}

export async function workOn(deps: Deps, tx: Tx, told: Told): Promise<Effect> {
  const work = WORKS[told.event]
  return work ? work(deps, tx, told) : NOBODY
}
