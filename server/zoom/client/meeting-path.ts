/**
 * A meeting number or a UUID as one segment of a path. Zoom takes a UUID that begins with a slash, or has two together,
 * only when it is encoded twice.
 */
export function meetingPath(id: string): string {
  const once = encodeURIComponent(id)
  return id.startsWith('/') || id.includes('//') ? encodeURIComponent(once) : once
}
