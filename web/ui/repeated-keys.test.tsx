import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ignoreRepeatedKeys } from './repeated-keys.ts'

let stop = () => {}
beforeEach(() => {
  document.body.innerHTML = '<input><button>First</button><button>Second</button><textarea></textarea>'
  stop = ignoreRepeatedKeys()
})
afterEach(() => {
  stop()
  vi.restoreAllMocks()
})

const [FIRST, SECOND] = ['button', 'button + button']

/** Presses a key where the focus is after `ms`; false if the press was ignored. */
function press(selector: string, key: string, at: number, repeat = false): boolean {
  vi.spyOn(performance, 'now').mockReturnValue(at)
  const event = new KeyboardEvent('keydown', { key, repeat, bubbles: true, cancelable: true })
  return document.querySelector(selector)?.dispatchEvent(event) ?? false
}

test.each(['Enter', ' '])('a second press of %j is ignored where the first one has moved the focus', (key) => {
  expect(press(FIRST, key, 1_000)).toBe(true)
  expect(press(SECOND, key, 1_300)).toBe(false)
  expect(press(SECOND, key, 1_700)).toBe(false) // a third press of the same run
  expect(press(SECOND, key, 2_200)).toBe(true)
})

test('a second press of Enter where the focus has stayed is one more press', () => {
  expect(press('input', 'Enter', 1_000)).toBe(true)
  expect(press('input', 'Enter', 1_100)).toBe(true)
})

test('a press after another key or the pointer is meant', () => {
  press(FIRST, 'Enter', 1_000)
  press(FIRST, 'Tab', 1_100)
  expect(press(SECOND, 'Enter', 1_200)).toBe(true)
  document.body.dispatchEvent(new Event('pointerdown', { bubbles: true }))
  expect(press(FIRST, 'Enter', 1_300)).toBe(true)
})

test('a held Enter presses once, and writes as many lines as it likes', () => {
  expect(press(FIRST, 'Enter', 1_000)).toBe(true)
  expect(press(FIRST, 'Enter', 1_500, true)).toBe(false)
  expect(press('textarea', 'Enter', 3_000)).toBe(true)
  expect(press('textarea', 'Enter', 3_030, true)).toBe(true)
})

test('the release of an ignored Space clicks nothing', () => {
  const release = () =>
    document
      .querySelector(SECOND)
      ?.dispatchEvent(new KeyboardEvent('keyup', { key: ' ', bubbles: true, cancelable: true }))
  press(FIRST, ' ', 1_000)
  expect(release()).toBe(true)
  press(SECOND, ' ', 1_200)
  expect(release()).toBe(false)
  expect(release()).toBe(true)
})
