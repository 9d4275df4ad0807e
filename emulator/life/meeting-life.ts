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
  live.sitting.participants.push(participant)
  zoom.meetingEvents.emit('joined', live, participant)
  const { on_behalf: _, ...sent } = participant
  sendParticipant(zoom, live, 'meeting.participant_joined', { ...sent, ...addresses })
  return participant
}

/** Zoom sends an event for a host who joins a running meeting, but not for the one who starts it. */
export function joinAsHost(zoom: Zoom, live: LiveMeeting, who: Joining) {
  const { id, email } = live.account
  return joinMeeting(zoom, live, { ...who, email, participant_user_id: id })
}

export function isHostInMeeting({ account, sitting }: LiveMeeting) {
  return sitting.host_present || sitting.participants.some((one) => one.participant_user_id === account.id)
}

/** Removes the host with all devices. */
export function leaveAsHost(zoom: Zoom, live: LiveMeeting) {
  const { account, sitting } = live
  const hostDevices = sitting.participants.filter((one) => one.participant_user_id === account.id)
  const { display_name: user_name, email, id: participant_user_id } = account
  if (sitting.host_present)
    hostDevices.push(sitting.host ?? newParticipant(zoom, { user_name, email, participant_user_id }))
  for (const one of hostDevices) leaveMeeting(zoom, live, one)
}

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
  const { join_time: date_time, on_behalf: _, ...participant } = newParticipant(zoom, who)
  sendParticipant(zoom, live, 'meeting.participant_joined_waiting_room', { ...participant, date_time })
  return participant
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
  zoom.meetingEvents.emit('left', live, participant, reasonCode(reason))
  const { join_time: _at, on_behalf: _how, ...who } = participant
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

const reasonCode = (reason: string): LeaveReason =>
  reason === 'Removed by host'
    ? LEAVE_REASON.removed
    : reason === 'left the meeting'
      ? LEAVE_REASON.left
      : LEAVE_REASON.other

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
