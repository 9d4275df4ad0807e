import { newUuid, randomId } from '../state/identifiers.ts'
import { isCloudRecordingAllowed } from '../state/meeting-settings.ts'
import { LEAVE_REASON, type LeaveReason, type LiveMeeting } from '../state/memory.ts'
import type { Account, StoredMeeting, ZoomParticipant, ZoomSitting } from '../state/state.ts'
import { zoomTime } from '../state/times.ts'
import type { Zoom } from '../state/zoom.ts'
import { recordSitting } from './recording-life.ts'
import { sendWebhook } from './webhooks.ts'

/** Each start is a new sitting with its own UUID. Only the host can start one, so the host is present. */
export function startMeeting(zoom: Zoom, account: Account, meeting: StoredMeeting) {
  meeting.uuid = newUuid(++zoom.state.serial)
  const sitting: ZoomSitting = {
    start_time: zoomTime(zoom.now()),
    host_present: true,
    host: null,
    participants: [],
    recording: 'off',
    segments: [],
  }
  meeting.sitting = sitting
  const live = { account, meeting, sitting }
  sendWebhook(zoom, account, 'meeting.started', { object: { ...meetingObject(live), host_email: account.email } })
  if (meeting.settings.auto_recording === 'cloud') controlRecording(zoom, live, 'start')
  return live
}

/** Starts the meeting with the Meeting SDK, which then takes part in it. */
export function startAsHost(zoom: Zoom, account: Account, meeting: StoredMeeting, who: Joining) {
  const live = startMeeting(zoom, account, meeting)
  const { email, id: participant_user_id } = account
  const host = newParticipant(zoom, { ...who, email, participant_user_id })
  live.sitting.host = host
  zoom.meetingEvents.emit('joined', live, host)
  return host
}

/** Sends only `meeting.ended`, without an event for each participant. */
export function endMeeting(zoom: Zoom, live: LiveMeeting) {
  const { account, meeting, sitting } = live
  controlRecording(zoom, live, 'stop')
  meeting.sitting = null
  zoom.meetingEvents.emit('ended', live)
  const object = { ...meetingObject(live), host_email: account.email, end_time: zoomTime(zoom.now()) }
  sendWebhook(zoom, account, 'meeting.ended', { object })
  if (sitting.segments.length > 0) recordSitting(zoom, live)
}

type RecordingVerb = 'start' | 'stop' | 'pause' | 'resume'

const verbs = {
  start: { from: ['off'], to: 'on', event: 'recording.started' },
  stop: { from: ['on', 'paused'], to: 'off', event: 'recording.stopped' },
  pause: { from: ['on'], to: 'paused', event: 'recording.paused' },
  resume: { from: ['paused'], to: 'on', event: 'recording.resumed' },
} as const

/** Each stretch of recording becomes a file. An action that does not fit the current state does nothing. */
export function controlRecording(zoom: Zoom, live: LiveMeeting, verb: RecordingVerb) {
  const { account, meeting, sitting } = live
  const { from, to, event } = verbs[verb]
  if (!isCloudRecordingAllowed(account) || !from.some((state) => state === sitting.recording)) return
  if (verb === 'start' && account.settings.storage_full) return
  sitting.recording = to
  zoom.meetingEvents.emit('recording', live)

  const now = zoomTime(zoom.now())
  const open = sitting.segments.find((segment) => segment.end === null)
  if (open) open.end = now
  if (to === 'on') sitting.segments.push({ start: now, end: null })

  const last = sitting.segments.at(-1)
  const recording_file = { recording_start: last?.start ?? now, recording_end: last?.end ?? '' }
  sendWebhook(zoom, account, event, { object: { ...meetingObject(live), id: meeting.id, recording_file } })
  if (verb === 'stop' && zoom.options.files_on_stop) {
    recordSitting(zoom, live)
    sitting.segments = []
  }
}

type Joining = {
  user_name: string
  email?: string | undefined
  customer_key?: string | undefined
  participant_user_id?: string
  on_behalf?: boolean
}

export function joinMeeting(zoom: Zoom, live: LiveMeeting, who: Joining) {
  const participant = newParticipant(zoom, who)
  participant.on_hold = live.meeting.settings.waiting_room === true && who.participant_user_id !== live.account.id
  live.sitting.participants.push(participant)
  zoom.meetingEvents.emit('joined', live, participant)
  if (participant.on_hold) sendWaiting(zoom, live, participant)
  else sendJoined(zoom, live, participant)
  return participant
}

/** Puts a participant into the waiting room, or admits one. */
export function holdParticipant(zoom: Zoom, live: LiveMeeting, participant: ZoomParticipant, isHeld: boolean) {
  if (participant.on_hold === isHeld) return
  participant.on_hold = isHeld
  zoom.meetingEvents.emit('held', live, participant)
  if (isHeld) return sendWaiting(zoom, live, participant)
  sendLeftWaiting(zoom, live, participant)
  sendJoined(zoom, live, participant)
}

/** Zoom sends an event for a host who joins a running meeting, but not for the one who starts it. */
export function joinAsHost(zoom: Zoom, live: LiveMeeting, who: Joining) {
  const { id, email } = live.account
  return joinMeeting(zoom, live, { ...who, email, participant_user_id: id })
}

export function isHostInMeeting({ account, sitting }: LiveMeeting, exceptUuid?: string) {
  const devices = sitting.participants.filter((one) => one.participant_user_id === account.id)
  const isStarterPresent = sitting.host_present && (!exceptUuid || sitting.host?.participant_uuid !== exceptUuid)
  return isStarterPresent || devices.some((one) => one.participant_uuid !== exceptUuid)
}

/** Removes the host with all devices, or all but one. */
export function leaveAsHost(zoom: Zoom, live: LiveMeeting, { reason, except }: HostLeaving = {}) {
  const { account, sitting } = live
  const isOther = (one: ZoomParticipant) => one.participant_user_id === account.id && one !== except
  const hostDevices = sitting.participants.filter(isOther)
  const { display_name: user_name, email, id: participant_user_id } = account
  if (sitting.host_present && (except === undefined || sitting.host !== except))
    hostDevices.push(sitting.host ?? newParticipant(zoom, { user_name, email, participant_user_id }))
  for (const one of hostDevices) leaveMeeting(zoom, live, one, reason)
}

type HostLeaving = { reason?: string; except?: ZoomParticipant }

export function findParticipant(
  zoom: Zoom,
  uuid: string,
): { participant: ZoomParticipant; live: LiveMeeting } | undefined {
  for (const meeting of zoom.state.meetings) {
    const { sitting } = meeting
    const account = zoom.accountById(meeting.host_id)
    if (!sitting || !account) continue
    const participant = [...sitting.participants, sitting.host].find((one) => one?.participant_uuid === uuid)
    if (participant) return { participant, live: { account, meeting, sitting } }
  }
  return undefined
}

/** A person in the waiting room is not yet in the meeting. */
export function enterWaitingRoom(zoom: Zoom, live: LiveMeeting, who: Joining) {
  return sendWaiting(zoom, live, newParticipant(zoom, who))
}

function sendWaiting(zoom: Zoom, live: LiveMeeting, participant: ZoomParticipant) {
  const { join_time: date_time, on_behalf: _, on_hold: _held, ...sent } = participant
  sendParticipant(zoom, live, 'meeting.participant_joined_waiting_room', { ...sent, date_time })
  return sent
}

function sendLeftWaiting(zoom: Zoom, live: LiveMeeting, participant: ZoomParticipant) {
  const { join_time: _at, on_behalf: _, on_hold: _held, ...sent } = participant
  const date_time = zoomTime(zoom.now())
  sendParticipant(zoom, live, 'meeting.participant_left_waiting_room', { ...sent, date_time })
}

function sendJoined(zoom: Zoom, live: LiveMeeting, participant: ZoomParticipant) {
  const { on_behalf: _, on_hold: _held, ...sent } = participant
  sendParticipant(zoom, live, 'meeting.participant_joined', { ...sent, ...addresses })
}

/** Observed in practice, though no document mentions them. */
const addresses = { public_ip: '203.0.113.77', private_ip: '192.168.77.7' }

function newParticipant(zoom: Zoom, who: Joining): ZoomParticipant {
  return {
    user_id: String(16_778_240 + ++zoom.state.serial * 1024),
    participant_uuid: randomId().toUpperCase(),
    user_name: who.user_name,
    email: who.email ?? '',
    customer_key: who.customer_key ?? '',
    join_time: zoomTime(zoom.now()),
    participant_user_id: who.participant_user_id ?? '',
    on_behalf: who.on_behalf ?? false,
    on_hold: false,
  }
}

export function leaveMeeting(zoom: Zoom, live: LiveMeeting, participant: ZoomParticipant, reason = 'left the meeting') {
  const { sitting } = live
  const isOther = (present: ZoomParticipant) => present !== participant
  if (participant.participant_user_id === live.account.id && sitting.participants.every(isOther)) {
    sitting.host_present = false
    sitting.host = null
  }
  sitting.participants = sitting.participants.filter(isOther)
  if (participant.on_hold) {
    const isRefused = reasonCode(reason) === LEAVE_REASON.removed
    zoom.meetingEvents.emit('left', live, participant, isRefused ? LEAVE_REASON.notAdmitted : reasonCode(reason))
    return sendLeftWaiting(zoom, live, participant)
  }
  zoom.meetingEvents.emit('left', live, participant, reasonCode(reason))
  const { join_time: _at, on_behalf: _how, on_hold: _held, ...who } = participant
  sendParticipant(zoom, live, 'meeting.participant_left', {
    ...who,
    ...addresses,
    leave_time: zoomTime(zoom.now()),
    leave_reason: `${participant.user_name} left the meeting.<br>Reason: ${reason}`,
  })
  if (participant.participant_user_id !== live.account.id || isHostInMeeting(live)) return
  for (const one of live.sitting.participants.filter(({ on_behalf }) => on_behalf))
    leaveMeeting(zoom, live, one, 'Unknown reason')
}

export const TRANSFERRED = 'Joined with another device'

const REASON_CODES: Record<string, LeaveReason> = {
  'Removed by host': LEAVE_REASON.removed,
  'left the meeting': LEAVE_REASON.left,
  [TRANSFERRED]: LEAVE_REASON.transferred,
}
const reasonCode = (reason: string): LeaveReason => REASON_CODES[reason] ?? LEAVE_REASON.other

type SentParticipant = Pick<ZoomParticipant, 'participant_user_id'> & Record<string, unknown>

function sendParticipant(zoom: Zoom, live: LiveMeeting, event: string, sent: SentParticipant) {
  const participant = { id: sent.participant_user_id, registrant_id: '', phone_number: '', ...sent }
  sendWebhook(zoom, live.account, event, { object: { ...meetingObject(live), participant } })
}

/** `id` is a string here and a number in recording events; `duration` is the planned length, even after the end. */
function meetingObject({ account, meeting, sitting }: LiveMeeting) {
  return {
    id: String(meeting.id),
    uuid: meeting.uuid,
    host_id: account.id,
    topic: meeting.topic,
    type: meeting.type,
    start_time: sitting.start_time,
    timezone: meeting.timezone,
    duration: meeting.duration,
  }
}
