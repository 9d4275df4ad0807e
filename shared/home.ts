import { z } from 'zod'
import { answer, Time } from './envelope.ts'

/** The steps of the users over the day, back from now. Quarters of an hour are round in every time zone. */
export const ONLINE_STEP_SECONDS = 900
export const ONLINE_STEPS = 96
/** The most rooms that are named. */
export const BUSIEST_ROOMS = 8
/** The days before and after today within which the home counts renewals. */
export const HOME_RENEWAL_DAYS = 7

/** The most users who were online at one moment of a step, in all rooms together. */
export const OnlinePoint = z.object({ at: Time, users: z.number().int() })
export type OnlinePoint = z.infer<typeof OnlinePoint>

/** `most_at` begins the step with the most users; null if no one was online. */
export const OnlineChart = z.object({
  step_seconds: z.number().int(),
  most: z.number().int(),
  most_at: Time.nullable(),
  points: z.array(OnlinePoint),
})
export type OnlineChart = z.infer<typeof OnlineChart>

/** A room in which users are online or a meeting runs. */
export const RoomInUse = z.object({
  host_id: z.string(),
  host_name: z.string(),
  room_name: z.string(),
  users: z.number().int(),
  has_meeting: z.boolean(),
})
export type RoomInUse = z.infer<typeof RoomInUse>

export const ZOOM_ERROR_HOURS = 24

/** Zoom gave no usable answer, wanted fewer calls, refused one, or had ended a host's connection. */
export const ZoomErrorKind = z.enum(['unanswered', 'limited', 'refused', 'disconnected'])
export type ZoomErrorKind = z.infer<typeof ZoomErrorKind>

/** The hours of the last day, the oldest first, with the calls of all hosts that failed in each. */
export const ZoomErrors = z.array(
  z.object({
    at: Time,
    unanswered: z.number().int(),
    limited: z.number().int(),
    refused: z.number().int(),
    disconnected: z.number().int(),
  }),
)
export type ZoomErrors = z.infer<typeof ZoomErrors>

export const Home = z.object({
  rooms: z.object({
    live: z.number().int(),
    meetings: z.number().int(),
    users: z.number().int(), // online now, in all of them
    busiest: z.array(RoomInUse),
  }),
  renewals: z.object({ ending: z.number().int(), ended: z.number().int() }),
  zoom_in_trouble: z.number().int(),
  unarchived: z.object({ recordings: z.number().int(), hosts: z.number().int() }),
  online: OnlineChart,
  zoom_errors: ZoomErrors,
})
export type Home = z.infer<typeof Home>
export const HomeAnswer = answer(Home)
