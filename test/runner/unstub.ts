import { afterEach, vi } from 'vitest'

/** Runs after each test, so that no mock reaches the `beforeAll` of the next file in the same process. */
afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
  vi.unstubAllEnvs()
  vi.useRealTimers()
})
