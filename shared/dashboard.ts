import { z } from 'zod'
import { MeetingsQuery, SittingTimes } from './attendance.ts'
import { DayCount, PresenceChart } from './attendance-charts.ts'
import { answer } from './envelope.ts'
import { GoLiveCheck } from './go-live.ts'
import { NextMeeting } from './planned-meetings.ts'

/** Versions of the phone app on the phones that have signed in to the room. */
export const AppVersions = z.object({ newest: z.string().nullable(), older: z.number().int() })
export type AppVersions = z.infer<typeof AppVersions>

/** The setup steps that a new host has completed. */
export const FirstSteps = z.object({
  has_users: z.boolean(),
  has_sent_logins: z.boolean(), // the credentials of a user were revealed, or a phone has signed in
})
export type FirstSteps = z.infer<typeof FirstSteps>

export const DashboardAnswer = answer(
  z.object({
    users: z.object({ total: z.number().int(), online: z.number().int() }),
    rooms: z.object({ total: z.number().int(), active: z.number().int() }),
    recordings: z.object({ total: z.number().int() }),
    app_versions: AppVersions,
    first_steps: FirstSteps.nullable(), // null once the first meeting has run
    next_meeting: NextMeeting.nullish(), // the running or the next planned one
    go_live: z.array(GoLiveCheck).nullish().describe('What a meeting needs; null for a manager.'),
    room: z.object({ name: z.string(), is_active: z.boolean() }).optional(),
  }),
)

/** Four weeks, with today. */
export const DASHBOARD_DAYS = 28

export const DashboardChartsQuery = MeetingsQuery.pick({ zone: true })

export const DashboardCharts = z.object({
  days: z.array(DayCount),
  last_meeting: SittingTimes.extend({ presence: PresenceChart.nullable() }).nullable(), // null for one of over two days
})
export type DashboardCharts = z.infer<typeof DashboardCharts>
export const DashboardChartsAnswer = answer(DashboardCharts)
