/** Formats a time as the zone's clocks show it, with its offset from UTC. */
export function localTime(at: Date, zone: string): string {
  if (zone === 'UTC') return at.toISOString()
  const local = Temporal.Instant.fromEpochMilliseconds(at.getTime()).toZonedDateTimeISO(zone)
  return local.toString({ smallestUnit: 'second', timeZoneName: 'never' })
}

export const timeIn = (zone: string) => (at: string | null) => (at === null ? null : localTime(new Date(at), zone))
