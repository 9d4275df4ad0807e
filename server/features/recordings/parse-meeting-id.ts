import { AppError } from '../../errors.ts'

const NUMBER = /^\d{9,12}$/
const UUID = /^[A-Za-z0-9+/]{16,64}={0,2}$/

/**
 * Parses a meeting number or UUID. The router has decoded it once; a caller may have encoded it twice, as Zoom
 * requires, and no UUID contains a percent sign.
 */
export function parseMeetingId(segment: string): string {
  const id = segment.includes('%') ? decode(segment) : segment
  if (!NUMBER.test(id) && !UUID.test(id)) throw new AppError('malformed', 'This is not a meeting ID or UUID.')
  return id
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return ''
  }
}
