import { z } from 'zod'
import { countDays, dayIn, endExclusive, startOf } from '../../shared/dates.ts'
import { ownTimeZone } from './time-zone.ts'

/** Days in the reader's time zone, both included. */
export type Period = { from: string; to: string }

export const PRESETS = ['Today', 'Yesterday', 'Last 7 days', 'Last 30 days'] as const
export type Preset = (typeof PRESETS)[number]

const DAYS: Record<Preset, [first: number, last: number]> = {
  Today: [0, 0],
  Yesterday: [1, 1],
  'Last 7 days': [6, 0],
  'Last 30 days': [29, 0],
}

export function presetPeriod(preset: Preset, now: number): Period {
  const dayBefore = (days: number) => dayIn(ownTimeZone(), now).subtract({ days }).toString()
  const [first, last] = DAYS[preset]
  return { from: dayBefore(first), to: dayBefore(last) }
}

/** Returns the first and the last moment of these days, for a call that counts days in UTC. */
export function periodBounds({ from, to }: Period): Period {
  const zone = ownTimeZone()
  return {
    from: startOf(from, zone).toISOString(),
    to: new Date(endExclusive(to, zone).getTime() - 1).toISOString(),
  }
}

/** True from the start of the first day to the end of the last. */
export function includesNow({ from, to }: Period, now: number): boolean {
  const zone = ownTimeZone()
  return startOf(from, zone).getTime() <= now && now < endExclusive(to, zone).getTime()
}

/** Returns the preset with exactly these days, or null. */
export function presetOf({ from, to }: Period, now: number): Preset | null {
  const isSame = (preset: Preset) => {
    const period = presetPeriod(preset, now)
    return period.from === from && period.to === to
  }
  return PRESETS.find(isSame) ?? null
}

/** Returns the message for an invalid period, or null. */
export function periodFault({ from, to }: Period, daysMax: number): string | null {
  // A date field accepts years of six digits, too.
  if (![from, to].every((day) => z.iso.date().safeParse(day).success)) return 'Please choose both days'
  if (from > to) return 'The last day must not be before the first'
  return countDays(from, to) > daysMax ? `At most ${daysMax} days at a time` : null
}

/** Formats the length of a stay as 1h 5m. */
export function formatSpan(seconds: number): string {
  if (seconds < 60) return `${seconds}s`
  const minutes = Math.floor(seconds / 60)
  return minutes < 60 ? `${minutes}m` : `${Math.floor(minutes / 60)}h ${minutes % 60}m`
}
