import { LRUCache } from 'lru-cache'
import type { Clock } from './clock.ts'

const MAX_KEYS = 50_000

/**
 * Values that are forgotten `ttlMs` after they were set, for keys that an outsider chooses. A full one forgets the value
 * that was not looked at for longest, so that a call costs the same however many keys come.
 */
export function boundedCache<V extends object>(now: Clock, ttlMs: number): LRUCache<string, V> {
  // A limit on size alone: with `max` the library would allocate all of it at once.
  return new LRUCache<string, V>({
    maxSize: MAX_KEYS,
    sizeCalculation: () => 1,
    ttl: ttlMs,
    ttlResolution: 0,
    perf: { now },
  })
}
