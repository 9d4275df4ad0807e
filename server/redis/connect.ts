import { Redis, type RedisOptions } from 'ioredis'

/** A command that takes longer has failed: what waits for Redis goes on without it. */
export const COMMAND_TIMEOUT_MS = 1_000

/** Commands fail at once while there is no connection, which is tried for again until `disconnect`. */
export function connectRedis(url: string, connectionName: string): Redis {
  return connect(url, { connectionName, commandTimeout: COMMAND_TIMEOUT_MS, socketTimeout: 2 * COMMAND_TIMEOUT_MS })
}

/** For commands that block for up to so long. */
export function connectBlocking(url: string, connectionName: string, blockMs: number): Redis {
  return connect(url, { connectionName, socketTimeout: blockMs + 3 * COMMAND_TIMEOUT_MS })
}

function connect(url: string, options: RedisOptions): Redis {
  const redis = new Redis(url, {
    ...options,
    connectTimeout: 2 * COMMAND_TIMEOUT_MS,
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false, // their callers have gone on without them
    maxRetriesPerRequest: 0,
    retryStrategy: (attempt) => Math.min(100 * attempt, 1_000),
  })
  return redis.on('error', () => {}) // each command fails too
}
