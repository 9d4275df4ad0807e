import { renderUnicodeCompact } from 'uqr'

/** The code's light squares are drawn as text. White text on black keeps it readable on a terminal of any colours. */
const WHITE_ON_BLACK = '\x1b[97;40m'
const RESET = '\x1b[0m'

/** The address that users of the room open. */
export const phoneAppAddress = (phoneUrl: string, hostId: string) => `${phoneUrl}/?host=${hostId}`

/** Renders the address as a QR code for a terminal, or without colours for a file. */
export function phoneAppQrCode(address: string, hasColours: boolean): string[] {
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
