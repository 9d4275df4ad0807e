import { AppError } from '../errors.ts'

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** Answers 404 to a malformed id, not 400, because ids are opaque to callers. */
export function uuidOr404(id: string, message: string): string {
  if (!isUuid(id)) throw new AppError('not_found', message)
  return id.toLowerCase()
}

export function isUuid(id: string): boolean {
  return UUID.test(id)
}

/** Some clients omit the dashes of an id that they pass on, to stay under 36 characters. */
export function withDashes(id: string): string {
  return id.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5').toLowerCase()
}
