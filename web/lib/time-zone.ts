/** Zones that browsers still give by a name of before. */
const RENAMED: Record<string, string> = {
  'Asia/Calcutta': 'Asia/Kolkata',
  'Asia/Katmandu': 'Asia/Kathmandu',
  'Asia/Rangoon': 'Asia/Yangon',
  'Asia/Saigon': 'Asia/Ho_Chi_Minh',
  'Europe/Kiev': 'Europe/Kyiv',
}

/** The time zone in which the reader's days are counted, as Asia/Kolkata. */
export function ownTimeZone(): string {
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions()
  return RENAMED[timeZone] ?? timeZone
}

/** The same for the reader: India Standard Time (Asia/Kolkata). */
export function ownTimeZoneWords(): string {
  const parts = new Intl.DateTimeFormat('en-GB', { timeZoneName: 'longGeneric' }).formatToParts()
  const name = parts.find(({ type }) => type === 'timeZoneName')?.value
  const zone = ownTimeZone()
  return name && name !== zone ? `${name} (${zone})` : zone
}
