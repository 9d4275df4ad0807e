const UNITS = ['Bytes', 'KB', 'MB', 'GB'] as const

/** Sizes go in steps of 1024, with one decimal where it says something. */
export function formatSize(bytes: number): string {
  let size = Math.max(0, bytes)
  let unit = 0
  // Rounded first, so that the last byte before a step is not shown as 1024 of the smaller unit.
  while (rounded(size) >= 1024 && unit < UNITS.length - 1) {
    size /= 1024
    unit += 1
  }
  return `${unit === 0 ? Math.round(size) : rounded(size)} ${UNITS[unit]}`
}

function rounded(size: number): number {
  return size < 100 ? Math.round(size * 10) / 10 : Math.round(size)
}

/** Zoom gives a recording's length in whole minutes. */
export function formatDuration(minutes: number): string {
  return `${Math.floor(minutes / 60)}h ${minutes % 60}m`
}
