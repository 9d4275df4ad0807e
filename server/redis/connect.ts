import { Redis, type RedisOptions } from 'ioredis'

/** A command that takes longer has failed, and its caller goes on without Redis. */
export const COMMAND_TIMEOUT_MS = 1_000

/** The address of a server, or options that find it. */
export type Target = string | RedisOptions

/** Commands fail at once while there is no connection. Reconnects until `disconnect`. */
export function connectRedis(target: Target, connectionName: string): Redis {
  return connect(target, { connectionName, commandTimeout: COMMAND_TIMEOUT_MS, socketTimeout: 2 * COMMAND_TIMEOUT_MS })
}

/** Opens a connection for commands that block for up to `blockMs`. */
export function connectBlocking(target: Target, connectionName: string, blockMs: number): Redis {
  return connect(target, { connectionName, socketTimeout: blockMs + 3 * COMMAND_TIMEOUT_MS })
}

function connect(target: Target, options: RedisOptions): Redis {
  const all: RedisOptions = {
    ...(typeof target === 'string' ? {} : target),
    ...options,
    connectTimeout: 2 * COMMAND_TIMEOUT_MS,
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false, // the callers have gone on without them
    maxRetriesPerRequest: 0,
    retryStrategy: (attempt) => Math.min(100 * attempt, 1_000),
  }
  const redis = typeof target === 'string' ? new Redis(target, all) : new Redis(all)
  return redis.on('error', () => {}) // each command fails too
}
