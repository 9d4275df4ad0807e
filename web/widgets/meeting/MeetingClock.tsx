import { formatClock } from '../../lib/format-clock.ts'
import { secondsSince } from '../../lib/server-clock.ts'
import { useNow } from '../../lib/use-now.ts'
import classes from './meeting.module.css'

type MeetingClockProps = {
  /** Null while the clock stands still. */
  since: string | null
  /** Seconds counted before `since`. */
  seconds?: number
  label: string
}

export function MeetingClock({ since, seconds = 0, label }: MeetingClockProps) {
  const now = useNow(since === null ? null : 1000)
  const total = seconds + (since === null ? 0 : secondsSince(since, now))
  return (
    <span className={classes.clock} role="timer" aria-label={label}>
      {formatClock(total)}
    </span>
  )
}
