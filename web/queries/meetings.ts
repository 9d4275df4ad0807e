import { infiniteQueryOptions, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { Done } from '../../shared/envelope.ts'
import { MeetingListAnswer, MeetingReportAnswer } from '../../shared/meetings.ts'
import { type MakeReportLink, NewReportLinkAnswer, ReportLinksAnswer } from '../../shared/report-links.ts'
import { api } from '../lib/api-client.ts'

/** While a meeting runs, its numbers grow. */
const LIVE_MS = 15_000

async function listMeetings(before: string, signal: AbortSignal) {
  const query = before ? `?${new URLSearchParams({ before })}` : ''
  return (await api(MeetingListAnswer, 'GET', `/host/meetings${query}`, undefined, { signal })).data
}

export const pastMeetings = infiniteQueryOptions({
  queryKey: ['meetings', 'list'],
  queryFn: ({ pageParam, signal }) => listMeetings(pageParam, signal),
  initialPageParam: '',
  getNextPageParam: ({ meetings, has_more }) => (has_more ? meetings.at(-1)?.started_at : undefined),
  refetchInterval: ({ state }) => pollInterval(state.data?.pages ?? []),
})

/** A poll reads all pages that are shown: the more there are, the rarer it is. */
export function pollInterval(pages: readonly Pick<MeetingListAnswer['data'], 'meetings'>[]): number | false {
  return pages[0]?.meetings[0]?.ended_at === null && LIVE_MS * pages.length
}

export const newestMeetings = queryOptions({
  queryKey: ['meetings', 'newest'],
  queryFn: ({ signal }) => listMeetings('', signal),
})

export const meetingReport = (id: string) =>
  queryOptions({
    queryKey: ['meetings', 'report', id],
    queryFn: async ({ signal }) =>
      (await api(MeetingReportAnswer, 'GET', `/host/meetings/${encodeURIComponent(id)}`, undefined, { signal })).data,
    refetchInterval: ({ state }) => state.data?.meeting.ended_at === null && LIVE_MS,
  })

const linksOf = (id: string) => `/host/meetings/${encodeURIComponent(id)}/links`

export const reportLinks = (id: string) =>
  queryOptions({
    queryKey: ['meetings', 'links', id],
    queryFn: async ({ signal }) => (await api(ReportLinksAnswer, 'GET', linksOf(id), undefined, { signal })).data.links,
  })

export const makeReportLink = async (id: string, body: MakeReportLink, signal: AbortSignal) =>
  (await api(NewReportLinkAnswer, 'POST', linksOf(id), body, { signal, isSecret: true })).data

export function useEndReportLink(meeting: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (id: string) => api(Done, 'DELETE', `/host/report-links/${encodeURIComponent(id)}`),
    onSettled: () => client.invalidateQueries({ queryKey: reportLinks(meeting).queryKey }),
  })
}
