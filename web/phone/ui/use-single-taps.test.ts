// @vitest-environment jsdom
import { cleanup, renderHook } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { useSingleTaps } from './use-single-taps.ts'

const BY_KEY = { detail: 0, clientX: 0, clientY: 0 }

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
])('ignores a tap $second', ({ second: _, ...second }) => {
  renderHook(useSingleTaps)
  tap({})
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

test('lets each press of a screen reader through', () => {
  renderHook(useSingleTaps)
  for (let times = 0; times < 2; times++) tap({ clientX: 0, clientY: 0 })
  expect(press).toHaveBeenCalledTimes(2)
})

test('ignores a key that is pressed twice', () => {
  renderHook(useSingleTaps)
  tap(BY_KEY)
  tap({ ...BY_KEY, afterMs: 499 })
  expect(press).toHaveBeenCalledOnce()
  tap({ ...BY_KEY, afterMs: 1 })
  expect(press).toHaveBeenCalledTimes(2)
})

test('lets a key through where Tab came before it', () => {
  renderHook(useSingleTaps)
  tap(BY_KEY)
  for (const key of ['Tab', 'Enter']) button.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }))
  tap({ ...BY_KEY, afterMs: 100 })
  expect(press).toHaveBeenCalledTimes(2)
})

test('lets a tap on a checkbox through, as which a tap on its label comes again', () => {
  renderHook(useSingleTaps)
  const checkbox = document.createElement('input')
  checkbox.type = 'checkbox'
  document.body.append(checkbox)
  tap({})
  tap({}, checkbox)
  expect(checkbox.checked).toBe(true)
  checkbox.remove()
})

test('ignores nothing once the app has gone', () => {
  renderHook(useSingleTaps).unmount()
  for (let times = 0; times < 2; times++) tap({})
  expect(press).toHaveBeenCalledTimes(2)
})

/** Taps `afterMs` milliseconds after the previous tap; `detail` is the position within a series. */
function tap({ afterMs = 0, detail = 1, clientX = 200, clientY = 700 }, on: HTMLElement = button): void {
  now += afterMs
  const event = new MouseEvent('click', { bubbles: true, cancelable: true, detail, clientX, clientY })
  Object.defineProperty(event, 'timeStamp', { value: now })
  on.dispatchEvent(event)
}
