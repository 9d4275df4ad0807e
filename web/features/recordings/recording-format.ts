/** Zoom reports a recording's length in whole minutes. */
export function formatDuration(minutes: number): string {
  return `${Math.floor(minutes / 60)}h ${minutes % 60}m`
}
