import { useMutation, useMutationState } from '@tanstack/react-query'
import { useCallback, useMemo } from 'react'
import { Done } from '../../../../shared/envelope.ts'
import {
  type Attendee,
  type AttendeeAction,
  AttendeeCommandAnswer,
  type LinkAttendee,
  SEAT_COMMAND_MS,
  SEAT_TURN_MS,
  type SeatOutcome,
} from '../../../../shared/seat.ts'
import { api, messageOf } from '../../../lib/api-client.ts'
import { isRecord } from '../../../lib/is-record.ts'
import { confirm } from '../../../ui/confirm.tsx'
import { toast } from '../../../ui/toast.tsx'
import type { SeatStore } from '../../../widgets/seat/seat-store.ts'

const ACT_KEY = ['act-on-attendee']
/** The server ends a command by itself; later than this its event was lost. */
const SETTLED_WITHIN_MS = SEAT_COMMAND_MS + SEAT_TURN_MS + 3_000

type Command = { attendee: Pick<Attendee, 'key' | 'name'>; action: AttendeeAction }
/** Resolves to true if it was done. */
export type ActOnAttendee = (attendee: Pick<Attendee, 'key' | 'name'>, action: AttendeeAction) => Promise<boolean>

/** Sends a command to the seat, and waits until Zoom has shown its outcome. */
export function useActOnAttendee(store: SeatStore): ActOnAttendee {
  const { mutateAsync } = useMutation({
    mutationKey: ACT_KEY,
    mutationFn: async ({ attendee: { key }, action }: Command): Promise<SeatOutcome> => {
      const path = `/host/attendees/${encodeURIComponent(key)}/${action}`
      const { data } = await api(AttendeeCommandAnswer, 'POST', path, undefined, { mayRepeat: action === 'mute' })
      return action === 'allow' ? 'done' : outcomeOf(store, data.command_id)
    },
  })
  return useCallback(
    async (attendee, action) => {
      try {
        const outcome = await mutateAsync({ attendee, action })
        if (outcome === 'done') succeed(attendee, action)
        else toast.error(`${failed[action]} ${attendee.name}. ${reasons[outcome]}`)
        return outcome === 'done'
      } catch (error) {
        toast.error(messageOf(error, `${failed[action]} ${attendee.name}`))
        return false
      }
    },
    [mutateAsync],
  )
}

/** Asks before a guest is removed, since Zoom may not let the guest in again. */
export async function confirmRemoval({ name }: Pick<Attendee, 'name'>): Promise<boolean> {
  return confirm({
    title: `Remove ${name} from the meeting?`,
    body: 'Zoom lets in again those who were removed only if your Zoom account allows it.',
    confirmLabel: 'Remove',
    danger: true,
  })
}

export function useActOnAll(store: SeatStore, act: 'admit-all' | 'ask-unmute-all') {
  return useMutation({
    mutationFn: async () => {
      const { data } = await api(AttendeeCommandAnswer, 'POST', `/host/attendees/${act}`)
      return outcomeOf(store, data.command_id)
    },
  })
}

export function useLinkAttendee() {
  return useMutation({
    mutationFn: ({ key, ...link }: LinkAttendee & { key: string }) =>
      api(Done, 'PUT', `/host/attendees/${encodeURIComponent(key)}/user`, link),
  })
}

/** The keys of attendees with a command under way. */
export function useBusyAttendees(): ReadonlySet<string> {
  const keys = useMutationState({
    filters: { mutationKey: ACT_KEY, status: 'pending' },
    select: ({ state: { variables } }) =>
      isRecord(variables) && isRecord(variables.attendee) ? variables.attendee.key : undefined,
  })
  return useMemo(() => new Set(keys.filter((key) => typeof key === 'string')), [keys])
}

const failed: Record<AttendeeAction, string> = {
  mute: 'Failed to mute',
  'ask-unmute': 'Failed to ask',
  allow: 'Failed to let speak:',
  remove: 'Failed to remove',
  hold: 'Failed to send to the waiting room:',
  admit: 'Failed to admit',
  'lower-hand': 'Failed to lower the hand of',
}

export const reasons: Record<Exclude<SeatOutcome, 'done'>, string> = {
  'dropped-by-zoom': 'Zoom did not take the command; try again.',
  refused: 'Zoom refused it, or a later act came first.',
  gone: 'The meeting was left before.',
  timeout: 'Zoom did not confirm it in time.',
}

function succeed({ name }: Pick<Attendee, 'name'>, action: AttendeeAction) {
  if (action === 'ask-unmute') toast.success(`Zoom asks ${name} to unmute`)
  if (action === 'remove') toast.success(`${name} was removed from the meeting`)
  if (action === 'hold') toast.success(`${name} is in the waiting room`)
}

/** The event may come before the answer that names the command. */
function outcomeOf(store: SeatStore, id: string): Promise<SeatOutcome> {
  return new Promise((resolve) => {
    const finish = (outcome: SeatOutcome) => {
      unsubscribe()
      clearTimeout(limit)
      resolve(outcome)
    }
    const limit = setTimeout(() => finish('timeout'), SETTLED_WITHIN_MS)
    const check = () => {
      const outcome = store.getState().outcomes.get(id)
      if (outcome) finish(outcome)
    }
    const unsubscribe = store.subscribe(check)
    check()
  })
}
