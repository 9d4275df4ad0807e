import { randomUUID } from 'node:crypto'
import { audioFiles } from '../audio/audio.ts'
import { LongAudio } from '../audio/long-audio.ts'
import { randomId } from '../state/identifiers.ts'
import type { LiveMeeting } from '../state/memory.ts'
import { recordingJson } from '../state/recording-json.ts'
import type { Account, CloudRecording, CloudRecordingFile } from '../state/state.ts'
import { DAY_MS, zoomTime } from '../state/times.ts'
import type { Zoom } from '../state/zoom.ts'
import { writeTranscript } from './transcript.ts'
import { sendWebhook } from './webhooks.ts'

const TRASH_DAYS = 30

type Stretch = { start: string; end: string | null }

/** Simulates the recording after its sitting: first processing, then completed. */
export function recordSitting(zoom: Zoom, { account, meeting, sitting }: LiveMeeting) {
  const end = zoomTime(zoom.now())
  const seconds = (Date.parse(end) - Date.parse(sitting.start_time)) / 1000
  const files = newFiles(zoom, account, sitting.segments)
  const earlier = zoom.state.recordings.find(({ uuid }) => uuid === meeting.uuid)
  if (earlier) {
    earlier.files.push(...files)
    earlier.duration = Math.round(seconds / 60)
    return scheduleProcessing(zoom, earlier)
  }
  const recording: CloudRecording = {
    uuid: meeting.uuid,
    key: randomId(24),
    meeting_id: meeting.id,
    host_id: account.id,
    topic: meeting.topic,
    type: meeting.type,
    timezone: meeting.timezone,
    start_time: sitting.start_time,
    duration: Math.round(seconds / 60),
    passcode: randomId(6),
    files,
    speakers: [account.display_name, ...sitting.participants.map(({ user_name }) => user_name)],
    spoken: [],
    turns: [],
    deleted_time: null,
  }
  zoom.state.recordings.push(recording)
  scheduleProcessing(zoom, recording)
}

/** Creates a file for each stretch. Without the portal's audio setting Zoom only keeps the video. */
export function newFiles(
  zoom: Zoom,
  account: Account,
  stretches: Stretch[],
  more: { video?: boolean; audio?: string | undefined; size_bytes?: number | undefined } = {},
) {
  const kinds: CloudRecordingFile['file_type'][] = []
  if (account.settings.record_audio_file) kinds.push('M4A')
  if (more.video || !account.settings.record_audio_file) kinds.push('MP4')
  return stretches.flatMap(({ start, end }) => {
    const number = ++zoom.state.serial % audioFiles.length
    const audio = audioFiles.find(({ name }) => name === more.audio) ?? audioFiles[number]
    if (!audio) throw new Error('There is no audio to record.')
    const seconds = zoom.options.full_length && end ? secondsOf(start, end) : null
    const size = seconds === null ? audio.size : new LongAudio(audio.name, seconds).size
    return kinds.map(
      (file_type): CloudRecordingFile => ({
        id: randomUUID(),
        key: randomId(24),
        audio: audio.name,
        file_type,
        recording_type: file_type === 'M4A' ? 'audio_only' : 'shared_screen_with_speaker_view',
        recording_start: start,
        recording_end: end ?? start,
        file_size: more.size_bytes ?? size,
        seconds: more.size_bytes === undefined ? seconds : null,
        text: '',
        status: 'processing',
      }),
    )
  })
}

/** Capped at a day, so that a wrong clock cannot create an endless file. */
function secondsOf(start: string, end: string) {
  return Math.min(DAY_MS, Math.max(1000, Date.parse(end) - Date.parse(start))) / 1000
}

export function scheduleProcessing(zoom: Zoom, recording: CloudRecording) {
  zoom.later(zoom.options.processing_ms, () => finishProcessing(zoom, recording))
}

export function finishProcessing(zoom: Zoom, recording: CloudRecording) {
  if (recording.files.every((file) => file.status === 'completed')) return
  for (const file of recording.files) file.status = 'completed'
  sendRecordingCompleted(zoom, recording)
  zoom.later(zoom.options.processing_ms, () => finishTranscripts(zoom, recording))
}

/** Adds a transcript to each sound file, where the portal's setting is on. It comes later than the sound. */
export function finishTranscripts(
  zoom: Zoom,
  recording: CloudRecording,
  { notify = true, transcript }: { notify?: boolean; transcript?: string | undefined } = {},
) {
  if (!zoom.accountById(recording.host_id)?.settings.recording_audio_transcript) return
  if (recording.deleted_time !== null || !zoom.state.recordings.includes(recording)) return
  const has = new Set(recording.files.filter(isTranscript).map(({ recording_start }) => recording_start))
  const made = recording.files
    .filter((file) => file.file_type === 'M4A' && file.status === 'completed' && !has.has(file.recording_start))
    .map((sound) => newTranscript(sound, recording, transcript))
  if (made.length === 0) return
  recording.files.push(...made)
  if (notify) sendFilesCompleted(zoom, recording, 'recording.transcript_completed', made)
}

const isTranscript = ({ file_type }: CloudRecordingFile) => file_type === 'TRANSCRIPT'

function newTranscript(
  { recording_start, recording_end }: CloudRecordingFile,
  { uuid, speakers, spoken, turns }: CloudRecording,
  given?: string,
): CloudRecordingFile {
  const seconds = secondsOf(recording_start, recording_end)
  const text = given ?? writeTranscript({ seed: `${uuid} ${recording_start}`, seconds, speakers, spoken, turns })
  return {
    id: randomUUID(),
    key: randomId(24),
    audio: '',
    file_type: 'TRANSCRIPT',
    recording_type: 'audio_transcript',
    recording_start,
    recording_end,
    file_size: Buffer.byteLength(text),
    seconds: null,
    text,
    status: 'completed',
  }
}

export function sendRecordingCompleted(zoom: Zoom, recording: CloudRecording) {
  const sound = recording.files.filter((file) => !isTranscript(file))
  sendFilesCompleted(zoom, recording, 'recording.completed', sound)
}

function sendFilesCompleted(
  zoom: Zoom,
  recording: CloudRecording,
  event: 'recording.completed' | 'recording.transcript_completed',
  files: CloudRecordingFile[],
) {
  const account = zoom.accountById(recording.host_id)
  if (!account) return
  const object = {
    ...recordingJson(zoom, recording, files, 'webhook'),
    type: recording.type,
    timezone: recording.timezone,
    host_email: account.email,
    password: recording.passcode,
    on_prem: false,
    participant_audio_files: [],
  }
  sendWebhook(
    zoom,
    account,
    event,
    { object },
    { download_token: newDownloadToken(zoom, recording, 'webhook', DAY_MS) },
  )
}

type Change = 'trashed' | 'recovered' | 'deleted'

/** Sends the event for a change that the host or the app made to a recording's files. */
export function sendRecordingChange(
  zoom: Zoom,
  account: Account,
  recording: CloudRecording,
  files: CloudRecordingFile[],
  change: Change,
) {
  const object = {
    ...recordingJson(zoom, recording, files, 'webhook'),
    type: recording.type,
    timezone: recording.timezone,
  }
  const payload = { operator: account.email, operator_id: account.id, object }
  const token = change === 'deleted' ? {} : { download_token: newDownloadToken(zoom, recording, 'webhook', DAY_MS) }
  sendWebhook(zoom, account, `recording.${change}`, payload, token)
}

/** Issues a download token for the recording's files, separate from the host's token. */
export function newDownloadToken(zoom: Zoom, recording: CloudRecording, kind: 'api' | 'webhook', life: number) {
  const token = zoom.newToken()
  const now = zoom.now()
  const { state } = zoom
  state.download_tokens = state.download_tokens.filter((pass) => pass.expires_at > now)
  state.download_tokens.push({ token, kind, recording_key: recording.key, expires_at: now + life })
  return token
}

export function removeRecording(zoom: Zoom, recording: CloudRecording) {
  zoom.state.recordings = zoom.state.recordings.filter((held) => held !== recording)
}

/** Zoom empties the trash after 30 days. */
export function emptyOldTrash(zoom: Zoom) {
  const oldest = zoomTime(zoom.now() - TRASH_DAYS * DAY_MS)
  zoom.state.recordings = zoom.state.recordings.filter(
    ({ deleted_time }) => deleted_time === null || deleted_time > oldest,
  )
}
