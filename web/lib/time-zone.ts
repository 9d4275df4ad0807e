/** Zones for which browsers still return a former name. */
const RENAMED: Record<string, string> = {
  'Asia/Calcutta': 'Asia/Kolkata',
  'Asia/Katmandu': 'Asia/Kathmandu',
  'Asia/Rangoon': 'Asia/Yangon',
  'Asia/Saigon': 'Asia/Ho_Chi_Minh',
  'Europe/Kiev': 'Europe/Kyiv',
}

/** Returns the IANA time zone in which the reader's days are counted, such as Asia/Kolkata. */
export function ownTimeZone(): string {
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions()
  return currentZoneName(timeZone)
}

/** Returns the zone's present name, by which it is looked for. */
export function currentZoneName(zone: string): string {
  return RENAMED[zone] ?? zone
}

/** Formats it for the reader: India Standard Time (Asia/Kolkata). */
export function ownTimeZoneWords(): string {
  const parts = new Intl.DateTimeFormat('en-GB', { timeZoneName: 'longGeneric' }).formatToParts()
  const name = parts.find(({ type }) => type === 'timeZoneName')?.value
  const zone = ownTimeZone()
  return name && name !== zone ? `${name} (${zone})` : zone
}
