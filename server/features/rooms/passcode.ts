import { randomInt } from 'node:crypto'

const SMALL = 'abcdefghijkmnpqrstuvwxyz'
const CAPITAL = 'ABCDEFGHJKLMNPQRSTUVWXYZ'
const DIGITS = '23456789'
/** The most that Zoom takes. */
const LENGTH = 10

/** A passcode that fits Zoom's usual rules, without characters that are easily taken for one another. */
export function newPasscode(): string {
  const all = SMALL + CAPITAL + DIGITS
  const kinds = [SMALL, CAPITAL, DIGITS, ...Array.from({ length: LENGTH - 3 }, () => all)]
  const drawn = kinds.map((kind) => kind[randomInt(kind.length)] ?? '')
  for (let at = drawn.length - 1; at > 0; at--) {
    const other = randomInt(at + 1)
    const held = drawn[at] ?? ''
    drawn[at] = drawn[other] ?? ''
    drawn[other] = held
  }
  return drawn.join('')
}
