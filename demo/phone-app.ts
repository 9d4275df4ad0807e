import { renderUnicodeCompact } from 'uqr'

/** The blocks of the code are its light parts, so they are drawn white on black whatever the terminal's own colours. */
const WHITE_ON_BLACK = '\x1b[97;40m'
const RESET = '\x1b[0m'

/** What a person of the room opens. */
export const phoneAppAddress = (phoneUrl: string, hostId: string) => `${phoneUrl}/?host=${hostId}`

/** The address as a QR code, for a terminal, or without its colours for a file. */
export function phoneAppCode(address: string, hasColours: boolean): string[] {
  const rows = renderUnicodeCompact(address, { border: 2 }).split('\n')
  const isHere = /(^|\.)localhost$/.test(new URL(address).hostname)
  return [
    '',
    ...rows.map((row) => (hasColours ? `  ${WHITE_ON_BLACK}${row}${RESET}` : `  ${row}`)),
    ...(isHere
      ? [
          '  On this machine only. For a phone of your own see docs/deploy.md: it needs https, and names that lead here.',
        ]
      : []),
  ]
}
