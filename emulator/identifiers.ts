import { createHash, randomBytes } from 'node:crypto'

/** Looks like Zoom's ids (22 characters of base64url). The same seed gives the same id after a reset or a restart. */
export function stableId(seed: string) {
  return createHash('sha256').update(seed).digest('base64url').slice(0, 22)
}

/** A number of so many digits, the same for the same seed. */
export function stableNumber(seed: string, digits: number) {
  const lowest = 10 ** (digits - 1)
  return lowest + (createHash('sha256').update(seed).digest().readUIntBE(0, 6) % (9 * lowest))
}

export function randomId(bytes = 16) {
  return randomBytes(bytes).toString('base64url')
}

// Which byte to set to what, so that its base64 has a slash or a plus in a chosen place.
const awkwardBytes: [at: number, byte: number][][] = [
  [],
  [[0, 0xfc]], // begins with `/`
  [
    [6, 0xff],
    [7, 0xff],
  ], // `//`
  [[9, 0xfc]], // `/` within
  [[9, 0xf8]], // `+`
]

/** The UUID of one sitting: base64 of 16 bytes. Four of five are awkward in a path, so that no client gets far without care. */
export function newUuid(serial: number) {
  const bytes = randomBytes(16).map((byte) => byte & 0x77) // the mask keeps clear of both `/` and `+`
  for (const [at, byte] of awkwardBytes[serial % awkwardBytes.length] ?? []) bytes[at] = byte
  return Buffer.from(bytes).toString('base64')
}

/**
 * The meeting number or UUID in `/v2/meetings/{it}`, taken from the raw address. Undefined where Zoom's gateway would
 * lose it: a UUID with a slash in front or two together survives only when encoded twice, and a bare `+` is a space.
 */
export function meetingInPath(url: string) {
  const segment = url.split(/[?#]/, 1)[0]?.split('/')[3] ?? ''
  try {
    const once = decodeURIComponent(segment.replaceAll('+', ' '))
    if (/%2f/i.test(once)) return decodeURIComponent(once)
    return once.startsWith('/') || once.includes('//') ? undefined : once
  } catch {
    return undefined
  }
}
