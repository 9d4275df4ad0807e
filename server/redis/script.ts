import type { Redis } from 'ioredis'

/** Sent with its text: by its hash, calls could overtake one whose script Redis has to be sent first. */
export function script(lua: string) {
  return (redis: Redis, keys: string[], args: (string | number)[]): Promise<unknown> =>
    redis.eval(lua, keys.length, ...keys, ...args)
}
