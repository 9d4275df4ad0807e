import type { z } from 'zod'
import { Done } from '../../../shared/envelope.ts'
import {
  type ReleaseSeat,
  type SeatReport,
  SeatReportAnswer,
  type TakeSeat,
  TakeSeatAnswer,
} from '../../../shared/seat.ts'
import { api } from '../../lib/api-client.ts'

/** An unanswered report must not use up the lease. */
const REPORT_LIMIT_MS = 5_000

/** Keeps a call's answer from a second press: it has a ticket, or belongs to one report. */
const alone = () => ({ signal: new AbortController().signal })

export const seatCalls = {
  take: async (body: TakeSeat) => (await api(TakeSeatAnswer, 'POST', '/host/seat', body, alone())).data,
  report: async (body: SeatReport) =>
    (await api(SeatReportAnswer, 'PUT', '/host/seat', body, { ...alone(), limitMs: REPORT_LIMIT_MS })).data,
  release: async (body: z.infer<typeof ReleaseSeat>) =>
    void (await api(Done, 'DELETE', '/host/seat', body, { ...alone(), keepalive: true })),
}
export type SeatCalls = typeof seatCalls
