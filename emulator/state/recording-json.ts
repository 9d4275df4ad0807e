import type { CloudRecording, CloudRecordingFile } from './state.ts'
import type { Zoom } from './zoom.ts'

/** Zoom uses different addresses for a file in the API and in webhooks. */
function fileJson(zoom: Zoom, recording: CloudRecording, file: CloudRecordingFile, reader: 'api' | 'webhook') {
  const common = {
    id: file.id,
    meeting_id: recording.uuid,
    recording_start: file.recording_start,
    recording_end: file.recording_end,
    file_type: file.file_type,
    file_extension: file.file_type === 'TRANSCRIPT' ? 'VTT' : file.file_type,
    recording_type: file.recording_type,
    status: file.status,
  }
  if (file.status === 'processing') return common
  return {
    ...common,
    file_size: file.file_size,
    play_url: `${zoom.origin}/rec/play/${file.key}`,
    download_url:
      reader === 'api'
        ? `${zoom.origin}/rec/download/${file.key}`
        : `${zoom.origin}/rec/webhook_download/${recording.key}/${file.key}`,
  }
}

/** `type` is a string in API responses, but a number in webhooks. */
export function recordingJson(
  zoom: Zoom,
  recording: CloudRecording,
  files: CloudRecordingFile[],
  reader: 'api' | 'webhook',
) {
  return {
    uuid: recording.uuid,
    id: recording.meeting_id,
    account_id: zoom.accountById(recording.host_id)?.account_id ?? '',
    host_id: recording.host_id,
    topic: recording.topic,
    type: String(recording.type),
    start_time: recording.start_time,
    duration: recording.duration,
    total_size: files.reduce((sum, file) => sum + (file.status === 'completed' ? file.file_size : 0), 0),
    recording_count: files.length,
    share_url: `${zoom.origin}/rec/share/${recording.key}`,
    recording_play_passcode: recording.passcode,
    auto_delete: false,
    recording_files: files.map((file) => fileJson(zoom, recording, file, reader)),
  }
}

/** Returns no files if the recording is in the trash. */
export function visibleFiles(recording: CloudRecording) {
  return recording.deleted_time === null ? recording.files : []
}
