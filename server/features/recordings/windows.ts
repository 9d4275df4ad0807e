/** Zoom clamps in silence what is wider than a month. February is one too. */
const WINDOW_DAYS = 28

export interface Window {
  from: string
  to: string
}

/** The days from `from` to `to` in windows that Zoom takes whole, newest first, each sharing a day with the next. */
export function recordingWindows(from: Temporal.PlainDate, to: Temporal.PlainDate): Window[] {
  const windows: Window[] = []
  let end = to
  for (;;) {
    const month = end.subtract({ days: WINDOW_DAYS })
    const begin = Temporal.PlainDate.compare(month, from) > 0 ? month : from
    windows.push({ from: begin.toString(), to: end.toString() })
    if (Temporal.PlainDate.compare(begin, from) <= 0) return windows
    end = begin.add({ days: 1 })
  }
}
