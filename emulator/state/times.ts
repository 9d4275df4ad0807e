/** Zoom writes whole seconds in UTC. */
export function zoomTime(ms: number) {
  return Temporal.Instant.fromEpochMilliseconds(ms).toString({ smallestUnit: 'second' })
}

export function utcDate(ms: number) {
  return Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO('UTC').toPlainDate()
}

export const MINUTE = 60_000
export const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR
