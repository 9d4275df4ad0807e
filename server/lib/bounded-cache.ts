import { LRUCache } from 'lru-cache'
import type { Clock } from './clock.ts'

const MAX_KEYS = 50_000

/**
 * Caches values for `ttlMs` after they were set, under keys that an outsider chooses. A full cache drops the least
 * recently used value, so that a call costs the same however many keys come.
 */
export function boundedCache<V extends object>(now: Clock, ttlMs: number, maxKeys = MAX_KEYS): LRUCache<string, V> {
  // Only the size is limited: with `max` the library would allocate all entries at once.
  return new LRUCache<string, V>({
    maxSize: maxKeys,
    sizeCalculation: () => 1,
    ttl: ttlMs,
    ttlResolution: 0,
    perf: { now },
  })
}
