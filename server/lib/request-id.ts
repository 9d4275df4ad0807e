import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Config } from '../config.ts'

/** Short enough for each line of a log, and free of what could end a line or begin a field. */
const PROXY_ID = /^[\w.-]{8,64}$/

/** Returns the id that the proxy gave the request, so that its log and the server's can be compared, else a new one. */
export function requestIdFrom({ TRUST_PROXY }: Pick<Config, 'TRUST_PROXY'>) {
  return ({ headers }: IncomingMessage): string => {
    const given = TRUST_PROXY ? headers['x-request-id'] : undefined
    return typeof given === 'string' && PROXY_ID.test(given) ? given : randomUUID()
  }
}
