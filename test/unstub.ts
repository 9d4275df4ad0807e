import { afterEach, vi } from 'vitest'

/** After each test, so that not even the `beforeAll` of the next file in the same process meets what one has replaced. */
afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
  vi.unstubAllEnvs()
  vi.useRealTimers()
})
