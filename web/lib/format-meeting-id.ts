/** Groups a meeting number as Zoom does and as people read it out. */
export function formatMeetingId(id: string): string {
  if (!/^\d{9,11}$/.test(id)) return id
  const middle = id.length === 11 ? 7 : 6
  return `${id.slice(0, 3)} ${id.slice(3, middle)} ${id.slice(middle)}`
}
