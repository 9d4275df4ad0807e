/** The most that a line may have, in octets, with the space that continues it. */
const LINE_OCTETS = 75

/** Joins the lines as RFC 5545 asks: a long one is folded, and no character of several octets is cut. */
export function joinLines(lines: readonly string[]): string {
  return lines.map((line) => `${folded(line)}\r\n`).join('')
}

function folded(line: string): string {
  let text = ''
  let octets = 0
  for (const character of line) {
    const size = Buffer.byteLength(character)
    if (octets + size > LINE_OCTETS) {
      text += '\r\n '
      octets = 1
    }
    text += character
    octets += size
  }
  return text
}

/** Writes text as the value of a property. */
export function escapeText(text: string): string {
  return text
    .replaceAll(/[\\;,]/g, '\\$&')
    .replaceAll(/\r\n|\r|\n/g, '\\n')
    .replaceAll(/\p{Cc}/gu, '')
}

/** A time in UTC: 20261201T183000Z. */
export const utcTime = (ms: number) =>
  `${localTime(Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO('UTC'))}Z`

/** A time of a clock on a wall: 20261201T193000. */
export const localTime = (time: Temporal.PlainDateTime | Temporal.ZonedDateTime) =>
  time.toString({ smallestUnit: 'second', ...NO_ZONE }).replaceAll(/[-:]/g, '')

const NO_ZONE = { offset: 'never', timeZoneName: 'never' } as const
