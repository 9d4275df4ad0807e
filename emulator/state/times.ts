/** Zoom writes whole seconds in UTC. */
export function zoomTime(ms: number) {
  return Temporal.Instant.fromEpochMilliseconds(ms).toString({ smallestUnit: 'second' })
}

export function utcDate(ms: number) {
  return Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO('UTC').toPlainDate()
}

export const MINUTE_MS = 60_000
export const HOUR_MS = 60 * MINUTE_MS
export const DAY_MS = 24 * HOUR_MS
