import { afterEach, expect, test, vi } from 'vitest'
import { Ringer } from './ringer.ts'

const vibrate = vi.fn()
afterEach(() => vi.unstubAllGlobals())

test.each([
  ['does not vibrate in a page that was reloaded, which browsers block before a tap', { hasBeenActive: false }, 0],
  ['vibrates after a tap', { hasBeenActive: true }, 1],
  ['vibrates in a browser that does not say if there was a tap', undefined, 1],
])('%s', (_what, userActivation, times) => {
  vibrate.mockClear()
  vi.stubGlobal('navigator', { vibrate, userActivation })
  new Ringer().ring()
  expect(vibrate).toHaveBeenCalledTimes(times)
})
