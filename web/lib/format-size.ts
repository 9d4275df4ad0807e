const UNITS = ['Bytes', 'KB', 'MB', 'GB'] as const

/** Units are steps of 1024; values below 100 have one decimal. */
export function formatSize(bytes: number): string {
  let size = Math.max(0, bytes)
  let unit = 0
  // Rounds before choosing the unit, so that the last byte before a step is not shown as 1024 of the smaller unit.
  while (rounded(size) >= 1024 && unit < UNITS.length - 1) {
    size /= 1024
    unit += 1
  }
  return `${unit === 0 ? Math.round(size) : rounded(size)} ${UNITS[unit]}`
}

function rounded(size: number): number {
  return size < 100 ? Math.round(size * 10) / 10 : Math.round(size)
}

const GB = 1024 ** 3

/** Formats storage as "27.1 MB of 25 GB". */
export function formatUsedOfLimit(usedGb: number, limitGb: number): string {
  return `${usedGb > 0 ? formatSize(usedGb * GB) : '0'} of ${formatSize(limitGb * GB)}`
}
