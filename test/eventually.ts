import { vi } from 'vitest'

/** Tries again until it holds: for what happens by itself, soon after what caused it, on a machine of any speed. */
export function eventually<T>(check: () => T | Promise<T>): Promise<T> {
  return vi.waitFor(check, { timeout: 60_000, interval: 20 })
}
