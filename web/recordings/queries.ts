import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { Done } from '../../shared/envelope.ts'
import { type Recording, RecordingsAnswer } from '../../shared/recordings.ts'
import { api } from '../api.ts'
import { lastSixMonths } from './last-six-months.ts'

export const recordings = queryOptions({
  queryKey: ['recordings'],
  queryFn: async ({ signal }) => {
    const query = new URLSearchParams({
      ...lastSixMonths(new Date()),
      page_size: '100',
      fetch_all: 'true',
      file_types: 'M4A',
      fetch_live: 'true',
    })
    return (await api(RecordingsAnswer, 'GET', `/recordings?${query}`, undefined, { signal })).data
  },
})

type Deletable = Pick<Recording, 'id' | 'source' | 'meeting_data'>

/** What Zoom still has goes to Zoom's trash, the whole meeting instance; what only the archive has is named by its own id. */
function deletionPath({ id, source, meeting_data }: Deletable): string {
  return source === 'zoom_cloud'
    ? `/recordings/meetings/${encodeURIComponent(meeting_data.uuid)}/recordings`
    : `/host/recordings/${encodeURIComponent(id)}`
}

export function useDeleteRecording() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (recording: Deletable) => api(Done, 'DELETE', deletionPath(recording)),
    onSettled: () => client.invalidateQueries({ queryKey: recordings.queryKey }),
  })
}

/** Deletes one after the other, since Zoom counts calls; files of one meeting instance go together, in one call. */
export function useDeleteRecordings() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async (chosen: readonly Deletable[]) => {
      const outcome = { trashed: 0, failed: 0 }
      for (const [path, files] of Map.groupBy(chosen, deletionPath)) {
        try {
          await api(Done, 'DELETE', path)
          outcome.trashed += files.length
        } catch {
          outcome.failed += files.length
        }
      }
      return outcome
    },
    onSettled: () => client.invalidateQueries({ queryKey: recordings.queryKey }),
  })
}
