import { vi } from 'vitest'

/** Retries until the assertion holds. For effects that follow on their own, on a machine of any speed. */
export function eventually<T>(check: () => T | Promise<T>): Promise<T> {
  return vi.waitFor(check, { timeout: 60_000, interval: 20 })
}
