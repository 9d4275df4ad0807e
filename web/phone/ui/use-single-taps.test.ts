// @vitest-environment jsdom
import { cleanup, renderHook } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { useSingleTaps } from './use-single-taps.ts'

const press = vi.fn()
const button = document.createElement('button')
button.addEventListener('click', press)
let now = 0

beforeEach(() => {
  document.body.append(button)
  now += 10_000
  press.mockClear()
})
afterEach(cleanup)

test.each([
  { second: 'right after the first', afterMs: 100 },
  { second: 'beside the first', afterMs: 499, clientX: 220 },
  { second: 'that the browser counts as the second, though it comes late', afterMs: 600, detail: 2 },
])('ignores a tap $second, also on another screen', ({ second: _, ...second }) => {
  const screen = renderHook(useSingleTaps)
  tap({})
  screen.unmount()
  renderHook(useSingleTaps)
  tap(second)
  expect(press).toHaveBeenCalledOnce()
})

test.each([
  { next: 'half a second later', afterMs: 500 },
  { next: 'elsewhere', afterMs: 100, clientX: 300 },
])('lets a tap through $next', ({ next: _, ...next }) => {
  renderHook(useSingleTaps)
  tap({})
  tap(next)
  expect(press).toHaveBeenCalledTimes(2)
})

test.each([
  { of: 'key', detail: 0 },
  { of: 'screen reader', clientX: 0, clientY: 0 },
])('lets each press of a $of through', ({ of: _, ...first }) => {
  renderHook(useSingleTaps)
  for (let times = 0; times < 2; times++) tap(first)
  expect(press).toHaveBeenCalledTimes(2)
})

test('ignores nothing once its screen has gone', () => {
  renderHook(useSingleTaps).unmount()
  for (let times = 0; times < 2; times++) tap({})
  expect(press).toHaveBeenCalledTimes(2)
})

/** Taps `afterMs` milliseconds after the previous tap; `detail` is the position within a series. */
function tap({ afterMs = 0, detail = 1, clientX = 200, clientY = 700 }): void {
  now += afterMs
  const event = new MouseEvent('click', { bubbles: true, cancelable: true, detail, clientX, clientY })
  Object.defineProperty(event, 'timeStamp', { value: now })
  button.dispatchEvent(event)
}
