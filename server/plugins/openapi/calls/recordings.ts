import { z } from 'zod'
import type { Calls } from '../call.ts'
import { archive, done, ID, MEETING, recording } from '../examples.ts'

export const recordingCalls: Calls = {
  'GET /recordings': {
    tag: 'Recordings',
    name: 'listRecordings',
    summary: "List the room's recordings",
    description:
      'A row for each file of the asked types, newest first, of the last six months unless `from` and `to` say ' +
      'otherwise. `data.stale` is true where Zoom was asked and could not answer: then the rows are the last known ones. ' +
      '`archived` says that the server has its own copy, and `source` is `local` once Zoom has none any more. ' +
      '`data.archive.is_full` says that archiving has stopped for want of room.',
    parameters: {
      from: { example: '2026-05-21', description: 'The first day, in UTC.' },
      to: { example: '2026-11-21', description: 'The last day, in UTC.' },
      page_size: { example: 100 },
      fetch_all: { example: 'true', description: 'All rows, whatever `page_size` says.' },
      file_types: { example: 'M4A', description: 'A comma list.' },
      fetch_live: { example: 'true', description: 'Ask Zoom now.' },
    },
    failures: ['too_many'],
    answer: { success: true, data: { recordings: [recording], total: 1, stale: false, archive } },
  },
  'GET /recordings/media/:id': {
    tag: 'Recordings',
    name: 'readMedia',
    who: 'whoever has the address, which is signed',
    summary: 'Hear or download a recording',
    description:
      'The address comes from `play_url` or `download_url`: its signature stands for a token for up to an hour, and ends ' +
      'with the session that read it. `Range` is honoured.',
    parameters: {
      id: { example: ID.recording },
      kind: { example: 'play' },
      expires: { example: '1795262400', description: 'Seconds since 1970.' },
      session: { example: ID.session, description: 'The session that the address was given to.' },
      signature: { example: 'Zm9v' },
    },
    failures: ['not_allowed', 'zoom_reconnect', 'zoom_unavailable', 'room_not_connected', 'busy'],
    schemas: { answer: z.unknown() },
    special: { description: 'The bytes of the file.', type: 'audio/mp4' },
    also: { 206: 'The part of the file that was asked for.', 416: 'The file has no such part.' },
    reads: ['Range'],
  },
  'DELETE /recordings/meetings/:meetingIdOrUuid/recordings': {
    tag: 'Recordings',
    name: 'deleteMeetingRecordings',
    summary: "Move a meeting's recordings to Zoom's trash",
    description:
      'One sitting, named by its UUID (URL-encoded, once or twice) or by its number where only one sitting has recordings.',
    parameters: { meetingIdOrUuid: { example: MEETING.uuid } },
    answer: done('Moved to Trash'),
    failures: ['conflict', 'zoom_reconnect', 'room_not_connected', 'zoom_unavailable', 'busy'],
  },
  'DELETE /host/recordings/:id': {
    tag: 'Recordings',
    name: 'deleteArchivedRecording',
    summary: 'Move an archived recording to the trash',
    description:
      'For a recording whose `source` is not `zoom_cloud`: Zoom no longer has it. It can be recovered for 30 days, then its ' +
      'file is removed. One that Zoom still has is 409.',
    parameters: { id: { example: ID.recording } },
    answer: done('Moved to Trash'),
    failures: ['conflict'],
  },
  'POST /recordings/meetings/:meetingIdOrUuid/recover': {
    tag: 'Recordings',
    name: 'recoverMeetingRecordings',
    summary: "Take a meeting's recordings out of the trash",
    description:
      'Undoes the move to the trash for as long as it is kept there, which is 30 days at Zoom and here. The sitting is named as for the ' +
      'move. What is no longer in the trash is 404.',
    parameters: { meetingIdOrUuid: { example: MEETING.uuid } },
    answer: done('Taken out of the trash'),
    failures: ['conflict', 'zoom_reconnect', 'room_not_connected', 'zoom_unavailable', 'busy'],
  },
}
