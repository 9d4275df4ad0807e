import fc from 'fast-check'
import { expect, test } from 'vitest'
import { recordingWindows } from './windows.ts'

const day = (text: string) => Temporal.PlainDate.from(text)

test.each([
  ['2026-11-21', '2026-11-21', [['2026-11-21', '2026-11-21']]],
  ['2026-11-01', '2026-11-21', [['2026-11-01', '2026-11-21']]],
  ['2026-10-24', '2026-11-21', [['2026-10-24', '2026-11-21']]],
  [
    '2026-10-23',
    '2026-11-21',
    [
      ['2026-10-24', '2026-11-21'],
      ['2026-10-23', '2026-10-25'],
    ],
  ],
])('from %s to %s requests %j from Zoom', (from, to, windows) => {
  expect(recordingWindows(day(from), day(to)).map((window) => [window.from, window.to])).toEqual(windows)
})

test('six months take seven windows', () => {
  expect(recordingWindows(day('2026-05-22'), day('2026-11-22'))).toHaveLength(7)
})

test('no window is wider than the shortest month, and neighbours share a day', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 1500 }), fc.integer({ min: 0, max: 400 }), (offset, length) => {
      const from = day('2025-01-01').add({ days: offset })
      const to = from.add({ days: length })
      const windows = recordingWindows(from, to)
      expect(windows[0]?.to).toBe(to.toString())
      expect(windows.at(-1)?.from).toBe(from.toString())
      for (const window of windows) {
        const month = day(window.to).subtract({ months: 1 })
        expect(Temporal.PlainDate.compare(month, day(window.from))).toBeLessThanOrEqual(0)
      }
      for (const [at, window] of windows.slice(1).entries()) {
        expect(window.to).toBe(
          day(windows[at]?.from ?? '')
            .add({ days: 1 })
            .toString(),
        )
      }
    }),
  )
})
