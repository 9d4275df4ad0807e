// @vitest-environment jsdom
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ignoreDoubleTap } from './ignore-double-tap.ts'

const press = vi.fn()
const button = document.createElement('button')
let now = 0

beforeEach(() => {
  vi.spyOn(performance, 'now').mockImplementation(() => now)
  button.addEventListener('click', press)
  document.body.append(button)
  ignoreDoubleTap()
})
afterEach(() => {
  click({ afterMs: 1000 }) // ends what still listens
  press.mockClear()
})

test.each([
  { tap: 'one right after the first', afterMs: 100, detail: 1 },
  { tap: 'the second of a double tap, though the phone handles it late', afterMs: 600, detail: 2 },
])('ignores $tap', ({ afterMs, detail }) => {
  click({ afterMs, detail })
  expect(press).not.toHaveBeenCalled()
})

test('lets the next tap, and a key, through', () => {
  click({ afterMs: 501 })
  click({ afterMs: 0, detail: 0 })
  expect(press).toHaveBeenCalledTimes(2)
})

/** A tap `afterMs` milliseconds from now; `detail` says which of a series it is. */
function click({ afterMs, detail = 1 }: { afterMs: number; detail?: number }): void {
  now += afterMs
  const event = new MouseEvent('click', { bubbles: true, cancelable: true, detail })
  Object.defineProperty(event, 'timeStamp', { value: now })
  button.dispatchEvent(event)
}
