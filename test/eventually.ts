import { vi } from 'vitest'

/** Retries until the assertion holds, for asynchronous effects on a machine of any speed. */
export function eventually<T>(check: () => T | Promise<T>): Promise<T> {
  return vi.waitFor(check, { timeout: 60_000, interval: 20 })
}
