import { createHash, randomBytes } from 'node:crypto'

/** Derives an id like Zoom's (22 characters of base64url). A seed yields the same id after a reset or a restart. */
export function stableId(seed: string) {
  return createHash('sha256').update(seed).digest('base64url').slice(0, 22)
}

/** Derives a number from a seed, always the same one. */
export function stableNumber(seed: string, digits: number) {
  const lowest = 10 ** (digits - 1)
  return lowest + (createHash('sha256').update(seed).digest().readUIntBE(0, 6) % (9 * lowest))
}

export function randomId(bytes = 16) {
  return randomBytes(bytes).toString('base64url')
}

// Bytes that put a slash or a plus into the base64.
const awkwardBytes: [at: number, byte: number][][] = [
  [],
  [[0, 0xfc]], // starts with `/`
  [
    [6, 0xff],
    [7, 0xff],
  ], // `//`
  [[9, 0xfc]], // contains `/`
  [[9, 0xf8]], // `+`
]

/** Generates 16 bytes in base64. Four of five need encoding in a path, so that a client that forgets it fails soon. */
export function newUuid(serial: number) {
  const bytes = randomBytes(16).map((byte) => byte & 0x77) // the mask avoids `/` and `+`
  for (const [at, byte] of awkwardBytes[serial % awkwardBytes.length] ?? []) bytes[at] = byte
  return Buffer.from(bytes).toString('base64')
}

/**
 * Extracts the meeting number or UUID of `/v2/meetings/{it}` from the raw address. Undefined where Zoom's gateway would
 * lose it: a UUID with a leading or a double slash must be encoded twice, and a bare `+` is a space.
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
