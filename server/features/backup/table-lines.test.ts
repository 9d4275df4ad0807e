import { describe, expect, test } from 'vitest'
import { PART_BYTES } from './backup-format.ts'
import { RowDigest, wholeLines } from './table-lines.ts'

async function* inChunks(text: Buffer, size: number) {
  for (let at = 0; at < text.length; at += size) yield text.subarray(at, at + size)
}
const digestOf = (...lines: string[]) => {
  const digest = new RowDigest()
  for (const line of lines) digest.add(Buffer.from(`${line}\n`))
  return `${digest.rows} ${digest}`
}

describe('the text of a table', () => {
  const row = (length: number) => `${'x'.repeat(length - 1)}\n`
  test.each([
    ['nothing', '', 1_000],
    ['one short row', row(5), 2],
    ['rows of many lengths', [1, 7, 4_000_000, 5_000_000, 3, 8_000_000, 2].map(row).join(''), 65_536],
    ['rows that end where a part does', row(PART_BYTES / 2).repeat(5), PART_BYTES],
    ['a row that is longer than a part', row(3) + row(PART_BYTES * 2) + row(4), 1_000_000],
  ])('is cut between rows: %s', async (_which, text, size) => {
    const whole = Buffer.from(text)
    const parts: Buffer[] = []
    for await (const part of wholeLines(inChunks(whole, size))) parts.push(part)
    expect(Buffer.concat(parts).equals(whole)).toBe(true)
    for (const part of parts) {
      expect(part.at(-1)).toBe(10)
      const isOneRow = part.indexOf(10) === part.length - 1
      expect(isOneRow || part.length <= PART_BYTES).toBe(true)
    }
  })
})

describe('the digest of a table', () => {
  test('does not depend on the order of its rows', () => {
    expect(digestOf('a', 'b', 'c')).toBe(digestOf('c', 'a', 'b'))
  })

  test.each([
    [
      ['a', 'b', 'c'],
      ['a', 'b'],
    ],
    [
      ['a', 'b'],
      ['a', 'c'],
    ],
    [
      ['a', 'a'],
      ['b', 'b'],
    ],
    [
      ['a', 'a', 'b'],
      ['b', 'b', 'a'],
    ],
    [
      ['ab', 'c'],
      ['a', 'bc'],
    ],
  ])('%j and %j differ', (one, other) => {
    expect(digestOf(...one)).not.toBe(digestOf(...other))
  })

  test('needs whole lines', () => {
    expect(() => new RowDigest().add(Buffer.from('a\nb'))).toThrow('cut short')
  })
})
