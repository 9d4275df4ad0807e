import type { Recording } from '../../shared/recordings.ts'
import { confirm } from '../ui/confirm.tsx'
import { toast } from '../ui/toast.tsx'
import { deleteFailure } from './delete-failure.ts'
import { useDeleteRecording, useDeleteRecordings } from './queries.ts'

/** Deletes recordings for the screen: it asks, acts, and says how it went. */
export function useDeletions() {
  const deleteRecording = useDeleteRecording()
  const deleteRecordings = useDeleteRecordings()

  async function deleteOne(recording: Recording, all: readonly Recording[]) {
    const { file_name, source, meeting_data } = recording
    const agreed = await confirm({
      title: `Delete ${file_name}?`,
      body:
        source === 'zoom_cloud' ? zoomWarning(meeting_data.recording_files.length) : 'The archived copy is deleted.',
      confirmLabel: 'Delete recording',
      danger: true,
    })
    if (!agreed) return
    if (!all.some(({ id }) => id === recording.id)) return toast.error('Recording not found in list')
    deleteRecording.mutate(recording, {
      onSuccess: ({ message }) => toast.success(message ?? 'Recording moved to Trash'),
      onError: (error) => toast.error(deleteFailure(error)),
    })
  }

  async function deleteMany(chosen: readonly Recording[]) {
    const agreed = await confirm({
      title: chosen.length === 1 ? 'Delete 1 recording?' : `Delete ${chosen.length} recordings?`,
      body: 'They move to the trash at Zoom, where they can be restored for 30 days.',
      confirmLabel: 'Delete',
      danger: true,
    })
    if (!agreed) return
    deleteRecordings.mutate(chosen, {
      onSuccess: ({ trashed, failed }) => {
        const report = `Moved to Trash ${trashed} recording(s), ${failed} failed`
        if (failed === 0) toast.success(report)
        else toast.error(report)
      },
    })
  }

  return { deleteOne, deleteMany, isDeletingMany: deleteRecordings.isPending }
}

function zoomWarning(files: number): string {
  return files > 1
    ? `All ${files} files of this meeting move to the trash at Zoom, where they can be restored for 30 days.`
    : 'It moves to the trash at Zoom, where it can be restored for 30 days.'
}
