import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { Done } from '../../../shared/envelope.ts'
import { RecordingSpeakersAnswer } from '../../../shared/recording-speakers.ts'
import { type Recording, RecordingSharingAnswer, RecordingsAnswer } from '../../../shared/recordings.ts'
import { FoundRecordingsAnswer, TranscriptAnswer } from '../../../shared/transcripts.ts'
import { api } from '../../lib/api-client.ts'
import { lastSixMonths } from './last-six-months.ts'

export const recordings = queryOptions({
  queryKey: ['recordings'],
  queryFn: async ({ signal }) => {
    const query = new URLSearchParams({
      ...lastSixMonths(Temporal.Now.plainDateISO()),
      page_size: '100',
      fetch_all: 'true',
      file_types: 'M4A',
      fetch_live: 'true',
    })
    return (await api(RecordingsAnswer, 'GET', `/recordings?${query}`, undefined, { signal })).data
  },
})

export const recordingSpeakers = (id: string) =>
  queryOptions({
    queryKey: ['recording speakers', id],
    queryFn: async ({ signal }) =>
      (await api(RecordingSpeakersAnswer, 'GET', `/host/recordings/${id}/speakers`, undefined, { signal })).data,
    staleTime: Number.POSITIVE_INFINITY, // the meeting is over
  })

const ON_ITS_WAY_MS = 20_000

export const transcript = (id: string) =>
  queryOptions({
    queryKey: ['transcript', id],
    queryFn: async ({ signal }) =>
      (await api(TranscriptAnswer, 'GET', `/host/recordings/${id}/transcript`, undefined, { signal })).data,
    refetchInterval: ({ state }) => (state.data?.status === 'waiting' ? ON_ITS_WAY_MS : false),
  })

export const foundRecordings = (words: string) =>
  queryOptions({
    queryKey: ['recordings', 'found', words],
    queryFn: async ({ signal }) => {
      const query = new URLSearchParams({ q: words })
      return (await api(FoundRecordingsAnswer, 'GET', `/host/recordings/search?${query}`, undefined, { signal })).data
    },
  })

type Deletable = Pick<Recording, 'id' | 'source' | 'meeting_data'>

/** Zoom's trash takes a whole meeting instance; an archived copy that Zoom no longer has is deleted by its own id. */
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

/** Sequential, since Zoom limits the rate of calls; files of one meeting instance share a call. */
async function inTurn<R extends Deletable>(
  chosen: readonly R[],
  pathOf: (one: R) => string,
  act: (path: string) => Promise<unknown>,
) {
  const outcome: { done: R[]; failed: R[] } = { done: [], failed: [] }
  for (const [path, files] of Map.groupBy(chosen, pathOf)) {
    const isDone = await act(path).then(
      () => true,
      () => false,
    )
    outcome[isDone ? 'done' : 'failed'].push(...files)
  }
  return outcome
}

export function useDeleteRecordings() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (chosen: readonly Recording[]) => inTurn(chosen, deletionPath, (path) => api(Done, 'DELETE', path)),
    onSettled: () => client.invalidateQueries({ queryKey: recordings.queryKey }),
  })
}

/** Restores meetings from Zoom's trash while they are still in it. */
export function useRecoverRecordings() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (chosen: readonly Recording[]) => {
      const pathOf = ({ meeting_data }: Deletable) =>
        `/recordings/meetings/${encodeURIComponent(meeting_data.uuid)}/recover`
      return inTurn(chosen, pathOf, (path) => api(Done, 'POST', path))
    },
    onSettled: () => client.invalidateQueries({ queryKey: recordings.queryKey }),
  })
}

/** `days` from now, or null to end it. */
export function useShareRecording() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ id, days }: { id: string; days: number | null }) =>
      api(RecordingSharingAnswer, 'PUT', `/host/recordings/${id}/sharing`, { days }, { mayRepeat: true }),
    onSuccess: ({ data: { shared_until } }, { id }) =>
      client.setQueryData(
        recordings.queryKey,
        (known) =>
          known && {
            ...known,
            recordings: known.recordings.map((one) => (one.id === id ? { ...one, shared_until } : one)),
          },
      ),
  })
}
