import type { Room } from '../../../../shared/rooms.ts'
import type { Calls } from '../call.ts'
import { done, host, ID, MEETING } from '../examples.ts'

const appInfo = {
  user_id: 'H000001',
  password: null,
  has_password: true,
  user_title: 'Singer',
  helpline: '+91 98765 43210',
  message: 'Rehearsal at six. Please join muted.',
  allow_recording: true,
  logo_url: null,
}

const room: Room = {
  room_id: ID.room,
  room_name: host.room_name,
  name: host.room_name,
  zoom_meeting_id: MEETING.number,
  password: '483920',
  user_count: 2,
  is_active: true,
  is_live: true,
  recording: 'recording',
}

export const profileCalls: Calls = {
  'GET /host/profile': {
    tag: 'Profile',
    name: 'getProfile',
    summary: 'Read the own account',
    answer: { success: true, data: host },
  },
  'POST /host/profile/activate': {
    tag: 'Profile',
    name: 'activateRoom',
    summary: 'Let phones into the room again (A)',
    answer: { ...done('The room is active'), data: host },
    failures: ['busy'],
  },
  'POST /host/profile/stop': {
    tag: 'Profile',
    name: 'stopRoom',
    summary: 'Stop the room (S)',
    description: "Signs every phone of the room out and refuses new ones. The host's console is not touched.",
    answer: {
      ...done('The room is stopped. Phones cannot sign in until it is activated.'),
      data: { ...host, is_active: false },
    },
    failures: ['busy'],
  },
  'POST /host/profile/logout': {
    tag: 'Profile',
    name: 'signOutOwnPhone',
    summary: "Sign the host's own phone out",
    answer: { ...done('Your phone is signed out'), data: host },
    failures: ['busy'],
  },
  'POST /host/profile/change-phone': {
    tag: 'Profile',
    name: 'changeOwnPhone',
    summary: "Clear the host's own device binding (C)",
    answer: {
      ...done('Device binding cleared. You can now login from a new phone.'),
      data: { ...host, device_id: null },
    },
    failures: ['busy'],
  },
  'GET /host/dashboard': {
    tag: 'Profile',
    name: 'getDashboard',
    summary: 'Read the counts of the dashboard',
    answer: {
      success: true,
      data: {
        users: { total: 2, online: 1 },
        rooms: { total: 1, active: 1 },
        recordings: { total: 1 },
        app_versions: { newest: '2.4.1', older: 1 },
        room: { name: host.room_name, is_active: true },
      },
    },
  },
  'GET /host/room': {
    tag: 'Profile',
    name: 'getRoom',
    summary: 'Read the own room',
    description: 'Whether its meeting runs, and is recorded, as Zoom last said. Does not keep an idle session alive.',
    answer: {
      success: true,
      data: { room },
    },
  },
  'POST /host/room/passcode': {
    tag: 'Profile',
    name: 'setNewPasscode',
    summary: "Give the room's meeting a new passcode",
    description:
      'People in the meeting stay in it; phones get the new passcode with their next ticket, and the console with the room. ' +
      '`changed` is false where Zoom did not take it: then it is tried again, once the meeting does not run. The passcode ' +
      'also changes by itself after a user is deleted, deactivated or switched.',
    answer: { ...done('The meeting has a new passcode'), data: { changed: true } },
    failures: ['room_not_connected', 'too_many'],
  },
  'POST /host/recording/:action': {
    tag: 'Live control',
    name: 'controlRecording',
    summary: 'Start, pause, resume or stop the recording of the meeting that runs',
    description: "Zoom does it a moment later; the room's `recording` shows it at once.",
    parameters: { action: { example: 'pause' } },
    answer: { ...done('The recording is paused'), data: { room: { ...room, recording: 'paused' } } },
    failures: [
      'room_not_connected',
      'meeting_not_live',
      'recording_off',
      'zoom_storage_full',
      'zoom_reconnect',
      'zoom_unavailable',
      'busy',
    ],
  },
  'GET /host/details': {
    tag: 'Profile',
    name: 'getRoomDetails',
    summary: "Read the room's id and name",
    answer: { success: true, room_id: ID.room, room_name: host.room_name },
  },
  'GET /host/app-info': {
    tag: 'Profile',
    name: 'getAppInfo',
    summary: "Read what the room's people see in their app",
    description: '`password` is never sent back: `has_password` says whether one is set.',
    answer: { success: true, appInfo },
  },
  'PUT /host/app-info': {
    tag: 'Profile',
    name: 'editAppInfo',
    summary: "Edit what the room's people see in their app",
    description: 'A blank password keeps the present one. `user_id` is shown in the form and not changed by it.',
    body: { ...appInfo, password: 'correct horse battery', has_password: undefined },
    answer: { ...done('App information updated successfully'), appInfo },
    failures: ['too_many', 'busy'],
  },
  'POST /host/upload-logo': {
    tag: 'Profile',
    name: 'uploadLogo',
    summary: "Upload the logo that the room's people see in their app",
    description:
      'A form (`multipart/form-data`) with the picture in the field `logo`: a PNG, JPEG or WebP of at most 1 MB and 2048 × ' +
      '2048 pixels. It is written anew without whatever else the file held. Off unless the installation turns it on.',
    answer: {
      ...done('Logo uploaded'),
      appInfo: { ...appInfo, logo_url: '/logos/0f343b0931126a20f133d67c2b018a3b.png' },
    },
    failures: ['feature_off', 'not_multipart', 'invalid_input', 'too_many'],
  },
}
