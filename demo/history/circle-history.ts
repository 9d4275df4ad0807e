import { SAMPLE_PEOPLE, sampleUserId } from '../sample-people.ts'
import { sampleRecordings } from '../sample-recordings.ts'
import { type HistoryMeeting, type HistoryUser, makeRoomHistory, type RoomHistory } from './room-history.ts'

const DAY_MS = 86_400_000
const WEEKS = 3
/** Tuesdays, Thursdays and Sundays, as Temporal counts them. */
const WEEKDAYS = [2, 4, 7]
const EVENING_HOUR = 18
/**
 * The first meeting, counted from the end, that a sample user no longer came to, keyed by the user's place. They have no
 * phone in the demo, which would end the absence.
 */
const LAST_CAME: Record<number, number> = { 37: -7, 38: -6 }
/** A newcomer, and the last one, who is for visitors that try a phone, and has never come. */
const FIRST_CAME: Record<number, number> = { 7: -2, 39: 0 }

/** The host's notes, keyed by the meeting's place. */
const NOTES: Record<number, string> = {
  3: 'Amina could not read; João did. Next time the second chapter.',
  9: 'Three asked for an earlier start. Decide with everyone on Sunday.',
}

/** Makes three weeks of meetings of the first sample room. */
export function circleHistory(found: readonly HistoryUser[], now: number): RoomHistory {
  const meetings = circleMeetings(now)
  const places = new Map(SAMPLE_PEOPLE.map((_person, place) => [sampleUserId(place), place]))
  const users = found.map((user): HistoryUser => {
    const place = places.get(user.user_id) ?? 0
    const last = LAST_CAME[place]
    const first = FIRST_CAME[place]
    if (last !== undefined) return { ...user, until: meetings.length + last }
    return first === undefined ? user : { ...user, from: meetings.length + first }
  })
  return makeRoomHistory({ users, meetings, turnSeconds: 40, actsPerMeeting: 14, seed: 'circle' })
}

/** Returns who speaks when in each recording of these weeks, in seconds from its start, keyed by its id at Zoom. */
export function circleTurns(now: number) {
  const people = SAMPLE_PEOPLE.map(({ username }, place) => ({
    ...{ id: sampleUserId(place), user_id: sampleUserId(place), username },
  }))
  const { speeches } = circleHistory(people, now)
  return new Map(
    sampleRecordings(now).map(({ uuid, start_time, duration_minutes }) => {
      const start = Date.parse(start_time)
      const seconds = (at: number) => Math.max(0, (at - start) / 1_000)
      const turns = speeches
        .filter(({ from, to }) => to > start && from < start + duration_minutes * 60_000)
        .map(({ user, from, to }) => ({ speaker: user.username, from: seconds(from), to: seconds(to) }))
      return [uuid, turns]
    }),
  )
}

/** Returns the meetings of the last three weeks, before today. Those with a sample recording have its id. */
export function circleMeetings(now: number): HistoryMeeting[] {
  const today = now - (now % DAY_MS)
  const recorded = new Map(sampleRecordings(now).map(({ uuid, start_time }) => [Date.parse(start_time), uuid]))
  return Array.from({ length: WEEKS * 7 }, (_, index) => today - (WEEKS * 7 - index) * DAY_MS)
    .map((day) => ({ day, starts_at: day + EVENING_HOUR * 3_600_000 }))
    .filter(({ day, starts_at }) => recorded.has(starts_at) || WEEKDAYS.includes(weekdayOf(day)))
    .map(({ starts_at }, index) => ({
      uuid: recorded.get(starts_at) ?? `evening-${new Date(starts_at).toISOString().slice(0, 10)}`,
      began_at: starts_at - ((index * 37) % 170) * 1_000, // up to three minutes before the recording
      minutes: 52 + ((index * 11) % 23),
      ...(NOTES[index] && { note: NOTES[index] }),
    }))
}

const weekdayOf = (day: number) => Temporal.Instant.fromEpochMilliseconds(day).toZonedDateTimeISO('UTC').dayOfWeek
