import type { FastifySchema } from 'fastify'
import { z } from 'zod'
import { Done } from '../../../shared/envelope.ts'
import {
  anita,
  ID,
  MEDIA_LINK,
  MEETING,
  PHONE_MEDIA_LINK,
  recording,
  sharedRecording,
} from '../../../shared/examples.ts'
import { RecordingSpeakersAnswer } from '../../../shared/recording-speakers.ts'
import {
  RecordingSharing,
  RecordingSharingAnswer,
  RecordingsAnswer,
  RecordingsQuery,
  SHARED_RECORDINGS_MAX,
  SharedRecordingsAnswer,
} from '../../../shared/recordings.ts'
import { withExample } from '../../lib/with-example.ts'
import { MediaQuery, PhoneMediaQuery } from './media-links.ts'

const RecordingId = z.object({ id: z.string().max(64) })
const Meeting = z.object({ meetingIdOrUuid: z.string().max(300) })
const tags = ['Recordings']
const ZOOM_FAILURES = ['conflict', 'zoom_reconnect', 'room_not_connected', 'zoom_unavailable', 'busy'] as const

export const listRecordings = {
  tags,
  operationId: 'listRecordings',
  summary: "List the room's recordings",
  description:
    'One row for each file of the requested types, newest first, of the last six months unless `from` and `to` say ' +
    'otherwise. `data.stale` is true if Zoom was called and could not answer: then the rows are the last known ' +
    'ones. `archived` says that the server has its own copy; `source` is `local` once Zoom no longer has the file. ' +
    '`data.archive.is_full` says that archiving has stopped for lack of space.',
  querystring: withExample(RecordingsQuery, {
    from: '2026-05-21',
    to: '2026-11-21',
    page_size: 100,
    fetch_all: 'true',
    file_types: 'M4A',
    fetch_live: 'true',
  }),
  response: {
    200: withExample(RecordingsAnswer, {
      success: true,
      data: {
        recordings: [recording],
        total: 1,
        stale: false,
        archive: { is_full: false, waiting: 0, used_gb: 0.4, limit_gb: 5, message: null },
      },
    }),
  },
} satisfies FastifySchema

export const getRecordingSpeakers = {
  tags,
  operationId: 'getRecordingSpeakers',
  summary: 'Get who spoke when in a recording',
  description:
    'Times are in seconds from the start of the recording, as phones in the app reported them and, while the ' +
    "host's seat is taken, as Zoom did of users recognised by name. A recording that was paused is shorter than the " +
    'meeting, so that later times do not match it. `data.has_more` says that speeches beyond 5,000 were left out.',
  params: withExample(RecordingId, { id: ID.recording }),
  response: {
    200: withExample(RecordingSpeakersAnswer, {
      success: true,
      data: {
        speakers: [
          {
            ...{ id: anita.id, user_id: anita.user_id, username: anita.username, reference: anita.reference },
            spoke_seconds: 95,
          },
        ],
        speeches: [{ id: anita.id, from_seconds: 12.5, to_seconds: 107.5 }],
        has_more: false,
      },
    }),
  },
} satisfies FastifySchema

export const shareRecording = {
  tags,
  operationId: 'shareRecording',
  summary: "Let the room's users hear a recording in the phone app",
  description:
    `For so many days from now; \`null\` ends it. At most ${SHARED_RECORDINGS_MAX} recordings of a room are shared at a ` +
    'time. Only a completed recording can be shared. The app offers no download, and its link ends with the sharing.',
  params: withExample(RecordingId, { id: ID.recording }),
  body: withExample(RecordingSharing, { days: 7 }),
  response: {
    200: withExample(RecordingSharingAnswer, { success: true, data: { shared_until: '2026-11-28T18:30:00.000Z' } }),
  },
  failures: ['conflict'],
} satisfies FastifySchema

export const listSharedRecordings = {
  tags: ['Phones'],
  operationId: 'listSharedRecordings',
  summary: 'List the recordings that this phone can play',
  description: 'Those that the host has shared with the users of the room, the newest first.',
  response: { 200: withExample(SharedRecordingsAnswer, { success: true, data: { recordings: [sharedRecording] } }) },
  failures: ['subscription_inactive', 'subscription_cancelled'],
} satisfies FastifySchema

export const deleteMeetingRecordings = {
  tags,
  operationId: 'deleteMeetingRecordings',
  summary: "Move a meeting's recordings to Zoom's trash",
  description:
    'One session of the meeting, named by its UUID (URL-encoded once or twice), or by the meeting number if only ' +
    'one session has recordings.',
  params: withExample(Meeting, { meetingIdOrUuid: MEETING.uuid }),
  response: { 200: withExample(Done, { success: true, message: 'Moved to Trash' }) },
  failures: ZOOM_FAILURES,
} satisfies FastifySchema

export const deleteArchivedRecording = {
  tags,
  operationId: 'deleteArchivedRecording',
  summary: 'Move an archived recording to the trash',
  description:
    'For a recording whose `source` is not `zoom_cloud`: Zoom no longer has it. It can be recovered for 30 days, ' +
    'then its file is removed. A recording that Zoom still has is 409.',
  params: withExample(RecordingId, { id: ID.archivedRecording }),
  response: { 200: withExample(Done, { success: true, message: 'Moved to Trash' }) },
  failures: ['conflict'],
} satisfies FastifySchema

export const recoverMeetingRecordings = {
  tags,
  operationId: 'recoverMeetingRecordings',
  summary: "Restore a meeting's recordings from the trash",
  description:
    'Reverses the move to the trash while it is kept there, which is 30 days at Zoom and here. The session is named ' +
    'in the same way. What is no longer in the trash is 404.',
  params: withExample(Meeting, { meetingIdOrUuid: MEETING.trashedUuid }),
  response: { 200: withExample(Done, { success: true, message: 'Taken out of the trash' }) },
  failures: ZOOM_FAILURES,
} satisfies FastifySchema

/** Answers a player, by a link of the console or of a phone. */
const media = {
  callers: 'anyone with the URL, which is signed',
  params: withExample(RecordingId, { id: ID.recording }),
  produces: ['audio/mp4'],
  response: {
    200: z.unknown().describe('The bytes of the file.'),
    206: z.undefined().describe('The requested part of the file.'),
    416: z.undefined().describe('The file has no such part.'),
  },
  readsHeaders: ['Range' as const],
  failures: ['not_allowed', 'zoom_reconnect', 'zoom_unavailable', 'room_not_connected', 'busy'] as const,
}

export const readMedia = {
  ...media,
  tags,
  operationId: 'readMedia',
  summary: 'Play or download a recording',
  description:
    'The URL comes from `play_url` or `download_url`: its signature replaces a token for up to an hour, and ends with ' +
    'the session that requested it. `Range` is supported.',
  querystring: withExample(MediaQuery, { kind: 'play', ...MEDIA_LINK }),
} satisfies FastifySchema

export const readSharedMedia = {
  ...media,
  tags: ['Phones'],
  operationId: 'readSharedMedia',
  summary: 'Play a recording that is shared',
  description:
    'The URL comes from the list of shared recordings, and ends with the session of the phone, with the sharing, or ' +
    'after an hour. `Range` is supported. A phone asks for sixty parts at once, and one a second after that. It reads ' +
    'two at a time, all phones of a room 200: beyond that, the connection that has taken nothing for longest ends.',
  failures: [...media.failures, 'subscription_inactive', 'subscription_cancelled', 'too_many'] as const,
  querystring: withExample(PhoneMediaQuery, { kind: 'listen', ...PHONE_MEDIA_LINK }),
} satisfies FastifySchema
