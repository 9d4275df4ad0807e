import { AsyncLocalStorage } from 'node:async_hooks'
import { type DestinationStream, type Logger, pino } from 'pino'

const requestIds = new AsyncLocalStorage<string>()

/** Runs `next` so that every line that it logs, and whatever it starts, has this id. */
export function withRequestId(id: string, next: () => void): void {
  requestIds.run(id, next)
}

/** Runs `next`, which a request has caused and does not wait for, so that its lines do not have that request's id. */
export function withoutRequestId<T>(next: () => T): T {
  return requestIds.exit(next)
}

const SECRET_FIELDS = [
  'password',
  'current_password',
  'new_password',
  'token',
  'device_secret',
  'join_url',
  'zak',
  'signature',
  'passcode',
  'recovery_code',
  'recovery_codes',
  'challenge',
  'secret',
  'uri',
  'url',
  'passkey',
]

export function createLogger(level: string, destination: DestinationStream): Logger {
  return pino(
    {
      level,
      timestamp: pino.stdTimeFunctions.isoTime,
      mixin: () => {
        const reqId = requestIds.getStore()
        return reqId ? { reqId } : {}
      },
      redact: [
        'req.headers.authorization',
        ...['code', 'body.code'], // not that of an error, such as ENOSPC
        ...SECRET_FIELDS.flatMap((name) => [name, `*.${name}`]),
      ],
    },
    destination,
  )
}
