import type { Redis } from 'ioredis'

/** Sends the text with each call: by its hash, a call could overtake one whose script Redis does not have yet. */
export function script(lua: string) {
  return (redis: Redis, keys: string[], args: (string | number)[]): Promise<unknown> =>
    redis.eval(lua, keys.length, ...keys, ...args)
}
