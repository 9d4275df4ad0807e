import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Recording } from '../../../shared/recordings.ts'
import { ApiError } from '../../lib/api-client.ts'
import { confirm } from '../../ui/confirm.tsx'
import { toast } from '../../ui/toast.tsx'
import { deleteFailure } from './delete-failure.ts'
import { recordings, useDeleteRecording, useDeleteRecordings, useRecoverRecordings } from './queries.ts'

/**
 * Deletes recordings after a confirmation, reports the result, and can undo the last deletion. The list, which is
 * fetched again after each action, decides what is in the trash: an answer may be lost, and another console may restore
 * a recording.
 */
export function useDeletions(listed: readonly Recording[]) {
  const client = useQueryClient()
  const deleteRecording = useDeleteRecording()
  const deleteRecordings = useDeleteRecordings()
  const recover = useRecoverRecordings()
  const [deleted, setDeleted] = useState<readonly Recording[]>([])
  const trashed = deleted.filter(({ id }) => !listed.some((one) => one.id === id))
  const isListed = ({ id }: Recording) =>
    client.getQueryData(recordings.queryKey)?.recordings.some((one) => one.id === id) ?? false

  async function deleteOne(recording: Recording) {
    const { file_name, source, meeting_data } = recording
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
    if (!isListed(recording)) return toast.error('Recording not found in list')
    deleteRecording.mutate(recording, {
      onSuccess: ({ message }) => {
        setDeleted([recording])
        toast.success(message ?? 'Moved to Trash')
      },
      onError: (error) => {
        const isUnanswered = error instanceof ApiError && error.status === 0
        if (isUnanswered) setDeleted([recording])
        if (isUnanswered && !isListed(recording)) toast.success('Moved to Trash')
        else toast.error(deleteFailure(error))
      },
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
      onSuccess: (outcome) => {
        setDeleted(chosen)
        const failed = outcome.failed.filter(isListed)
        const report = `Moved to Trash ${chosen.length - failed.length} recording(s), ${failed.length} failed`
        if (failed.length === 0) toast.success(report)
        else toast.error(report)
      },
    })
  }

  function undo() {
    recover.mutate(trashed, {
      onSuccess: (outcome) => {
        const failed = outcome.failed.filter((one) => !isListed(one))
        setDeleted((now) => [...now.filter((one) => !trashed.includes(one)), ...failed])
        if (failed.length === 0) toast.success(`Taken out of the trash: ${counted(trashed)}`)
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
    forget: () => setDeleted([]),
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
