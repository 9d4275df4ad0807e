import type { FastifySchema } from 'fastify'
import { z } from 'zod'
import { ID, MEETING, room } from '../../../shared/examples.ts'
import {
  EndMeeting,
  NewPasscodeAnswer,
  RecordingAction,
  RoomAnswer,
  RoomDetailsAnswer,
  StartMeetingAnswer,
} from '../../../shared/rooms.ts'
import { withExample } from '../../lib/with-example.ts'

const tags = ['Profile']
const ByAction = z.object({ action: RecordingAction })

export const getRoom = {
  tags,
  operationId: 'getRoom',
  summary: "Get the host's room",
  description:
    'Whether its meeting is running and being recorded is what Zoom reported last. A moderator gets no `password`. Does ' +
    'not keep an idle session alive.',
  response: { 200: withExample(RoomAnswer, { success: true, data: { room } }) },
} satisfies FastifySchema

export const getRoomDetails = {
  tags,
  operationId: 'getRoomDetails',
  summary: "Get the room's id and name",
  response: {
    200: withExample(RoomDetailsAnswer, { success: true, room_id: ID.room, room_name: room.room_name }),
  },
} satisfies FastifySchema

export const setNewPasscode = {
  tags,
  operationId: 'setNewPasscode',
  summary: "Change the passcode of the room's meeting",
  description:
    'People in the meeting stay in it; phones get the new passcode with their next ticket, the console with the ' +
    'room. `changed` is false if Zoom did not accept it: then it is tried again after the meeting. The passcode ' +
    'also changes automatically after a user is deleted, deactivated or switched.',
  response: {
    200: withExample(NewPasscodeAnswer, {
      success: true,
      message: 'The meeting has a new passcode',
      data: { changed: true },
    }),
  },
  failures: ['room_not_connected', 'too_many'],
} satisfies FastifySchema

export const startMeeting = {
  tags: ['Live control'],
  operationId: 'startMeeting',
  summary: "Get Zoom's link that starts the meeting",
  description:
    'Fetched from Zoom for each call. Whoever opens it within two hours is the host of the meeting, so it is ' +
    "neither stored nor replayed: a repeated `Idempotency-Key` gets a new link. The room's `is_live` turns true " +
    'once Zoom reports the start. If the meeting is running already, the link lets the host in.',
  response: {
    200: withExample(StartMeetingAnswer, {
      success: true,
      data: { start_url: `https://us04web.zoom.us/s/${MEETING.number}?zak=eyJ0eXAi` },
    }),
  },
  failures: ['room_not_connected', 'zoom_reconnect', 'zoom_unavailable', 'busy'],
} satisfies FastifySchema

export const endMeeting = {
  tags: ['Live control'],
  operationId: 'endMeeting',
  summary: 'End the running meeting for everyone in it',
  description:
    "The room's `is_live` is false immediately. Phones stay signed in to the room. With `expect`, a meeting that " +
    'began later goes on.',
  body: withExample(EndMeeting, { expect: { live_since: room.live_since, meeting_uuid: room.meeting_uuid } }),
  response: {
    200: withExample(RoomAnswer, {
      success: true,
      message: 'The meeting has ended',
      data: {
        room: {
          ...room,
          is_live: false,
          recording: 'none',
          meeting_uuid: null,
          live_since: null,
          recording_since: null,
          recorded_seconds: 0,
          participant_count: null,
        },
      },
    }),
  },
  failures: ['room_not_connected', 'meeting_not_live', 'state_changed', 'zoom_reconnect', 'zoom_unavailable', 'busy'],
} satisfies FastifySchema

export const controlRecording = {
  tags: ['Live control'],
  operationId: 'controlRecording',
  summary: 'Start, pause, resume or stop the recording of the running meeting',
  description: "Zoom does it a moment later; the room's `recording` shows it at once.",
  params: withExample(ByAction, { action: 'pause' }),
  response: {
    200: withExample(RoomAnswer, {
      success: true,
      message: 'Recording paused',
      data: { room: { ...room, recording: 'paused' } },
    }),
  },
  failures: [
    'room_not_connected',
    'meeting_not_live',
    'recording_off',
    'zoom_storage_full',
    'zoom_reconnect',
    'zoom_unavailable',
    'busy',
  ],
} satisfies FastifySchema
