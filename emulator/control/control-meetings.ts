import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { audioFiles } from '../audio/audio.ts'
import {
  controlRecording,
  endMeeting,
  enterWaitingRoom,
  joinAsHost,
  joinMeeting,
  leaveAsHost,
  leaveMeeting,
  startMeeting,
} from '../life/meeting-life.ts'
import {
  finishProcessing,
  finishTranscripts,
  newFiles,
  scheduleProcessing,
  sendRecordingCompleted,
} from '../life/recording-life.ts'
import { meetingJson } from '../routes/meetings.ts'
import { newUuid, randomId } from '../state/identifiers.ts'
import type { LiveMeeting } from '../state/memory.ts'
import { recordingJson } from '../state/recording-json.ts'
import { type Account, type CloudRecording, SpokenTurn, type StoredMeeting } from '../state/state.ts'
import { MINUTE_MS, zoomTime } from '../state/times.ts'
import type { Zoom } from '../state/zoom.ts'
import { NotFoundError } from './control-errors.ts'

type ById = { Params: { id: string } }

const Join = z.strictObject({
  user_name: z.string().default('Guest'),
  email: z.string().optional(),
  customer_key: z.string().optional(),
  host: z.boolean().default(false), // the host rejoins, or joins with another device
  waiting_room: z.boolean().default(false), // joins only the waiting room
})

const Leave = z.strictObject({
  participant_uuid: z.string().optional(),
  customer_key: z.string().optional(),
  reason: z.string().optional(),
  host: z.boolean().default(false),
})

const RecordingAction = z.strictObject({ action: z.enum(['start', 'stop', 'pause', 'resume']) })

const PutRecording = z
  .strictObject({
    email: z.email().optional(),
    meeting_id: z.union([z.int(), z.string()]).optional(),
    uuid: z.string().optional(),
    start_time: z.iso.datetime({ offset: true }),
    duration_minutes: z.int().min(0),
    topic: z.string().optional(),
    audio: z.enum(audioFiles.map(({ name }) => name)).optional(),
    status: z.enum(['processing', 'completed']).default('completed'),
    segments: z.int().min(1).max(20).default(1), // one file per segment, as after pauses
    size_bytes: z.int().min(1).optional(), // size of each file, filled by repeating the sound
    video: z.boolean().default(false), // adds an MP4 to each M4A
    speakers: z.array(z.string().min(1)).optional(), // named in the transcript, if the account makes one
    spoken: z.array(z.string().min(1)).default([]), // sentences of the transcript
    turns: z.array(SpokenTurn).default([]), // who speaks when in it; by chance if there are none
    transcript: z.string().optional(), // its whole text, such as a damaged one
    notify: z.boolean().default(true), // send recording.completed, and recording.transcript_completed
  })
  .refine(({ email, meeting_id }) => email !== undefined || meeting_id !== undefined, 'Name an email or a meeting_id.')

const Finish = z.strictObject({ uuid: z.string().optional() })

export function controlMeetingRoutes(zoom: Zoom) {
  return async (app: FastifyInstance) => {
    app.post<ById>('/meetings/:id/start', async (request) => {
      const { account, meeting } = meetingOf(zoom, request.params.id)
      if (!meeting.sitting) startMeeting(zoom, account, meeting)
      return { meeting: meetingJson(zoom, account, meeting) }
    })

    app.post<ById>('/meetings/:id/end', async (request) => {
      const live = liveMeeting(zoom, request.params.id)
      endMeeting(zoom, live)
      return { meeting: meetingJson(zoom, live.account, live.meeting) }
    })

    app.post<ById>('/meetings/:id/recording', async (request) => {
      const live = liveMeeting(zoom, request.params.id)
      controlRecording(zoom, live, RecordingAction.parse(request.body).action)
      return { recording: live.sitting.recording }
    })

    app.post<ById>('/meetings/:id/participants/join', async (request) => {
      const live = liveMeeting(zoom, request.params.id)
      const { host, waiting_room, ...who } = Join.parse(request.body ?? {})
      if (waiting_room) return { participant: enterWaitingRoom(zoom, live, who) }
      return { participant: host ? joinAsHost(zoom, live, who) : joinMeeting(zoom, live, who) }
    })

    app.post<ById>('/meetings/:id/participants/leave', async (request) => {
      const live = liveMeeting(zoom, request.params.id)
      const { host, participant_uuid, customer_key, reason } = Leave.parse(request.body ?? {})
      if (host) {
        leaveAsHost(zoom, live)
        return {}
      }
      const participant = live.sitting.participants.find(
        (one) => one.participant_uuid === participant_uuid || (customer_key && one.customer_key === customer_key),
      )
      if (!participant) throw new NotFoundError('That participant is not in the meeting.')
      leaveMeeting(zoom, live, participant, reason)
      return { participant }
    })

    app.post('/recordings', { bodyLimit: 16 * 1024 ** 2 }, async (request) => {
      const recording = putRecording(zoom, PutRecording.parse(request.body))
      return { recording: recordingJson(zoom, recording, recording.files, 'api') }
    })

    app.post('/recordings/finish', async (request) => {
      const { uuid } = Finish.parse(request.body ?? {})
      for (const recording of zoom.state.recordings) {
        if (uuid !== undefined && recording.uuid !== uuid) continue
        finishProcessing(zoom, recording)
        finishTranscripts(zoom, recording)
      }
      return {}
    })
  }
}

function putRecording(zoom: Zoom, input: z.infer<typeof PutRecording>) {
  const { account, meeting } = hostOf(zoom, input)
  const start = Date.parse(input.start_time)
  const step = (input.duration_minutes * MINUTE_MS) / input.segments
  const stretches = Array.from({ length: input.segments }, (_, at) => ({
    start: zoomTime(start + at * step),
    end: zoomTime(start + (at + 1) * step),
  }))
  const recording: CloudRecording = {
    uuid: input.uuid ?? newUuid(++zoom.state.serial),
    key: randomId(24),
    meeting_id: meeting.id,
    host_id: account.id,
    topic: input.topic ?? meeting.topic,
    type: meeting.type,
    timezone: meeting.timezone,
    start_time: zoomTime(start),
    duration: input.duration_minutes,
    passcode: randomId(6),
    files: newFiles(zoom, account, stretches, input),
    speakers: input.speakers ?? [account.display_name],
    spoken: input.spoken,
    turns: input.turns,
    deleted_time: null,
  }
  zoom.state.recordings.push(recording)
  if (input.status === 'processing') {
    scheduleProcessing(zoom, recording)
    return recording
  }
  for (const file of recording.files) file.status = 'completed'
  if (input.notify) sendRecordingCompleted(zoom, recording)
  finishTranscripts(zoom, recording, input)
  return recording
}

/** Finds the meeting by number, or the host's newest one except the personal meeting. */
function hostOf(zoom: Zoom, { email, meeting_id }: z.infer<typeof PutRecording>) {
  if (meeting_id !== undefined) return meetingOf(zoom, String(meeting_id))
  const account = zoom.accountByEmail(email ?? '')
  if (!account) throw new NotFoundError(`There is no account ${email}.`)
  const meetingsOfAccount = zoom.state.meetings.filter((meeting) => meeting.host_id === account.id)
  const meeting = meetingsOfAccount.findLast((held) => held.type !== 4 && !held.deleted) ?? meetingsOfAccount[0]
  if (!meeting) throw new NotFoundError(`${email} has no meeting.`)
  return { account, meeting }
}

function meetingOf(zoom: Zoom, id: string): { account: Account; meeting: StoredMeeting } {
  const meeting = zoom.state.meetings.find((held) => String(held.id) === id)
  const account = meeting && zoom.accountById(meeting.host_id)
  if (!meeting || !account) throw new NotFoundError(`There is no meeting ${id}.`)
  return { account, meeting }
}

function liveMeeting(zoom: Zoom, id: string): LiveMeeting {
  const { account, meeting } = meetingOf(zoom, id)
  if (!meeting.sitting) throw new NotFoundError(`Meeting ${id} is not running.`)
  return { account, meeting, sitting: meeting.sitting }
}
