/** Zoom silently clamps ranges of more than a month, which may be February. */
const WINDOW_DAYS = 28

export interface DateWindow {
  from: string
  to: string
}

/** Splits the days into windows that Zoom does not clamp, newest first, each sharing a day with the next. */
export function recordingWindows(from: Temporal.PlainDate, to: Temporal.PlainDate): DateWindow[] {
  const windows: DateWindow[] = []
  let end = to
  for (;;) {
    const month = end.subtract({ days: WINDOW_DAYS })
    const begin = Temporal.PlainDate.compare(month, from) > 0 ? month : from
    windows.push({ from: begin.toString(), to: end.toString() })
    if (Temporal.PlainDate.compare(begin, from) <= 0) return windows
    end = begin.add({ days: 1 })
  }
}
