import { z } from 'zod'
import { countDays, utcDay } from '../../shared/dates.ts'

/** Days in UTC, both included, as the server counts them. */
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
  const dayBefore = (days: number) => utcDay(now).subtract({ days }).toString()
  const [first, last] = DAYS[preset]
  return { from: dayBefore(first), to: dayBefore(last) }
}

/** Which of the presets these days are, or null for others. */
export function presetOf({ from, to }: Period, now: number): Preset | null {
  const isSame = (preset: Preset) => {
    const period = presetPeriod(preset, now)
    return period.from === from && period.to === to
  }
  return PRESETS.find(isSame) ?? null
}

/** What keeps these days from being asked for, in words, or null. */
export function periodFault({ from, to }: Period, daysMax: number): string | null {
  // A date field takes years of six digits, too.
  if (![from, to].every((day) => z.iso.date().safeParse(day).success)) return 'Please choose both days'
  if (from > to) return 'The last day must not be before the first'
  return countDays(from, to) > daysMax ? `At most ${daysMax} days at a time` : null
}

/** A length of stay, as 1h 5m. */
export function formatSpan(seconds: number): string {
  if (seconds < 60) return `${seconds}s`
  const minutes = Math.floor(seconds / 60)
  return minutes < 60 ? `${minutes}m` : `${Math.floor(minutes / 60)}h ${minutes % 60}m`
}
