import type { z } from 'zod'
import { type ApiOptions, answerOf, type Method, send, unexpectedAnswer } from './send.ts'
import { currentSession } from './session/session.ts'

export {
  ApiError,
  type ApiOptions,
  fieldErrorsOf,
  generalMessageOf,
  isFactorRequired,
  isOutcomeUnknown,
  messageOf,
  randomUuid,
} from './send.ts'

/** Throws an ApiError for any failure, and for an answer that does not match the schema. */
export async function api<S extends z.ZodType>(
  schema: S,
  method: Method,
  path: string,
  body?: unknown,
  options: ApiOptions = {},
): Promise<z.output<S>> {
  const response = await send(method, path, body, options)
  return parsed(schema, response)
}

/** The version of a cached answer: its ETag, and the session that it belongs to. */
export type Version = { etag: string; token: string | null }

/** A conditional GET: null on a 304, so that an unchanged list costs neither a body nor parsing. */
export async function apiIfChanged<S extends z.ZodType>(
  schema: S,
  path: string,
  version: Version | null,
  options: ApiOptions = {},
): Promise<{ answer: z.output<S>; version: Version | null } | null> {
  const { token } = currentSession()
  const known = version?.token === token ? version : null
  const response = await send('GET', path, undefined, options, known ? { 'If-None-Match': known.etag } : {})
  if (known && response.status === 304) return null

  const answer = await parsed(schema, response)
  const etag = response.headers.get('etag')
  return { answer, version: etag ? { etag, token } : null }
}

async function parsed<S extends z.ZodType>(schema: S, response: Response): Promise<z.output<S>> {
  const read = schema.safeParse(await answerOf(response))
  if (!read.success) throw unexpectedAnswer(response, read.error)
  return read.data
}
