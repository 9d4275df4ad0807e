import { randomInt } from 'node:crypto'

const SMALL = 'abcdefghijkmnpqrstuvwxyz'
const CAPITAL = 'ABCDEFGHJKLMNPQRSTUVWXYZ'
const DIGITS = '23456789'
const LENGTH = 10 // Zoom's maximum

/** Fits Zoom's usual rules, and avoids characters that are easily confused. */
export function generatePasscode(): string {
  const all = SMALL + CAPITAL + DIGITS
  const alphabets = [SMALL, CAPITAL, DIGITS, ...Array.from({ length: LENGTH - 3 }, () => all)]
  const characters = alphabets.map((alphabet) => alphabet[randomInt(alphabet.length)] ?? '')
  for (let at = characters.length - 1; at > 0; at--) {
    const other = randomInt(at + 1)
    const swapped = characters[at] ?? ''
    characters[at] = characters[other] ?? ''
    characters[other] = swapped
  }
  return characters.join('')
}
