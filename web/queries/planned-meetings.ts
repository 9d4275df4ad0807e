import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { Done } from '../../shared/envelope.ts'
import { PlannedCheckAnswer } from '../../shared/go-live.ts'
import {
  CalendarLinkAnswer,
  type EditPlannedMeeting,
  type PlanMeeting,
  type PlannedMeeting,
  PlannedMeetingAnswer,
  PlannedMeetingsAnswer,
} from '../../shared/planned-meetings.ts'
import { ApiError, api, isOutcomeUnknown } from '../lib/api-client.ts'

const PATH = '/host/planned-meetings'
const pathOf = (id: string) => `${PATH}/${encodeURIComponent(id)}`

export const plannedMeetings = queryOptions({
  queryKey: ['planned-meetings'],
  queryFn: async ({ signal }) => (await api(PlannedMeetingsAnswer, 'GET', PATH, undefined, { signal })).data,
  refetchInterval: 60_000, // a meeting ends, and the next one comes
})

/** A problem is no longer shown soon after it is mended, or once the meeting has begun. */
const CHECK_POLL_MS = { waiting: 30_000, made: 10_000 }

/** The check of the planned meeting that is about to begin; null while there is none. */
export const plannedCheck = queryOptions({
  queryKey: [...plannedMeetings.queryKey, 'check'],
  queryFn: async ({ signal }) =>
    (await api(PlannedCheckAnswer, 'GET', `${PATH}/check`, undefined, { signal })).data.check,
  refetchInterval: ({ state }) => (state.data ? CHECK_POLL_MS.made : CHECK_POLL_MS.waiting),
  refetchOnWindowFocus: 'always',
})

function usePlannedChange<Input, Answer>(change: (input: Input) => Promise<Answer>) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: change,
    onSettled: () =>
      Promise.all([
        client.invalidateQueries({ queryKey: plannedMeetings.queryKey }),
        client.invalidateQueries({ queryKey: ['dashboard'] }),
      ]),
  })
}

type Saved = { id?: string | undefined; times: PlanMeeting; expect?: EditPlannedMeeting['expect'] }

/** Plans a meeting, or saves the one with this id. */
export const useSavePlannedMeeting = () =>
  usePlannedChange(({ id, times, expect }: Saved) =>
    id === undefined
      ? api(PlannedMeetingAnswer, 'POST', PATH, times, { adds: true })
      : api(PlannedMeetingAnswer, 'PUT', pathOf(id), { ...times, expect }),
  )

/** Succeeds too if it has gone already, or is seen to be gone although no answer came. */
export function useRemovePlannedMeeting() {
  const client = useQueryClient()
  return usePlannedChange(async ({ id, updated_at }: PlannedMeeting) => {
    try {
      await api(Done, 'DELETE', pathOf(id), { expect: { updated_at } })
    } catch (error) {
      if (error instanceof ApiError && error.status === 404) return
      if (!isOutcomeUnknown(error)) throw error
      const now = await client.fetchQuery({ ...plannedMeetings, staleTime: 0 }).catch(() => null)
      if (!now || now.planned_meetings.some((one) => one.id === id)) throw error
    }
  })
}

const CALENDAR_LINK = '/host/calendar-link'

/** The link is a secret, which the cache of a mutation would keep. */
export const makeCalendarLink = async (signal: AbortSignal) =>
  (await api(CalendarLinkAnswer, 'POST', CALENDAR_LINK, undefined, { isSecret: true, signal })).data.url

export const useRemoveCalendarLink = () => usePlannedChange(() => api(Done, 'DELETE', CALENDAR_LINK))
