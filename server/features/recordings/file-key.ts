import type { ZoomRecordingFile } from '../../zoom/schemas.ts'

/** Returns the file's id at Zoom, or kind and start, which are unique within a sitting: some files have no id. */
export function fileKey({ id, recording_type, recording_start }: ZoomRecordingFile): string {
  return id || `${recording_type ?? ''}/${recording_start ?? ''}`
}
