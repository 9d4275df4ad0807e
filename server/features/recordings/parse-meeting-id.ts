import { AppError } from '../../errors.ts'

const NUMBER = /^\d{9,12}$/
const UUID = /^[A-Za-z0-9+/]{16,64}={0,2}$/

/**
 * The meeting that a path names, by number or UUID. The router has decoded it once; a caller may have encoded it twice,
 * as Zoom wants it, and no UUID has a percent sign of its own.
 */
export function parseMeetingId(segment: string): string {
  const name = segment.includes('%') ? decoded(segment) : segment
  if (!NUMBER.test(name) && !UUID.test(name)) throw new AppError('malformed', 'This is no meeting.')
  return name
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return ''
  }
}
