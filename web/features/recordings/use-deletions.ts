import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Recording } from '../../../shared/recordings.ts'
import { confirm } from '../../ui/confirm.tsx'
import { toast } from '../../ui/toast.tsx'
import { deleteFailure } from './delete-failure.ts'
import { recordings, useDeleteRecording, useDeleteRecordings, useRecoverRecordings } from './queries.ts'

/** Deletes recordings after a confirmation, reports the result, and can undo the last deletion. */
export function useDeletions() {
  const client = useQueryClient()
  const deleteRecording = useDeleteRecording()
  const deleteRecordings = useDeleteRecordings()
  const recover = useRecoverRecordings()
  const [trashed, setTrashed] = useState<readonly Recording[]>([])

  async function deleteOne(recording: Recording) {
    const { id, file_name, source, meeting_data } = recording
    if (source === 'zoom_cloud' && !meeting_data.uuid) return toast.error('Recording data not available')
    const agreed = await confirm({
      title: `Delete ${file_name}?`,
      body:
        source === 'zoom_cloud'
          ? zoomWarning(meeting_data.recording_files.length)
          : 'It moves to the trash, where it can be restored for 30 days.',
      confirmLabel: 'Delete recording',
      danger: true,
    })
    if (!agreed) return
    // The list may have been fetched again while the confirmation was open.
    const listed = client.getQueryData(recordings.queryKey)?.recordings ?? []
    if (!listed.some((one) => one.id === id)) return toast.error('Recording not found in list')
    deleteRecording.mutate(recording, {
      onSuccess: ({ message }) => {
        setTrashed([recording])
        toast.success(message ?? 'Moved to Trash')
      },
      onError: (error) => toast.error(deleteFailure(error)),
    })
  }

  async function deleteMany(chosen: readonly Recording[]) {
    const agreed = await confirm({
      title: chosen.length === 1 ? 'Delete 1 recording?' : `Delete ${chosen.length} recordings?`,
      body: 'They move to the trash, where they can be restored for 30 days.',
      confirmLabel: 'Delete',
      danger: true,
    })
    if (!agreed) return
    deleteRecordings.mutate(chosen, {
      onSuccess: ({ done, failed }) => {
        setTrashed(done)
        const report = `Moved to Trash ${done.length} recording(s), ${failed.length} failed`
        if (failed.length === 0) toast.success(report)
        else toast.error(report)
      },
    })
  }

  function undo() {
    recover.mutate(trashed, {
      onSuccess: ({ done, failed }) => {
        setTrashed(failed)
        if (failed.length === 0) toast.success(`Taken out of the trash: ${counted(done)}`)
        else toast.error(`${counted(failed)} could not be taken out of the trash. Please try again.`)
      },
    })
  }

  return {
    deleteOne,
    deleteMany,
    isDeletingMany: deleteRecordings.isPending,
    trashed,
    undo,
    isUndoing: recover.isPending,
    forget: () => setTrashed([]),
  }
}

function counted({ length }: readonly Recording[]): string {
  return length === 1 ? '1 recording' : `${length} recordings`
}

function zoomWarning(files: number): string {
  return files > 1
    ? `All ${files} files of this meeting move to the trash at Zoom, where they can be restored for 30 days.`
    : 'It moves to the trash at Zoom, where it can be restored for 30 days.'
}
