import type { z } from 'zod'
import { type ApiOptions, answerOf, type Method, send, unexpectedAnswer } from './send.ts'
import { currentSession } from './session/session.ts'

export { ApiError, fieldErrorsOf, messageOf, newKey } from './send.ts'

/** Calls the API and parses the answer; anything but a success in the expected shape is thrown as an ApiError. */
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

type Remembered = { etag: string; token: string | null; answer: unknown }
const remembered = new Map<string, Remembered>()

/** Leaves nothing of one session for the next. */
export function forgetAnswers() {
  remembered.clear()
}

/** A GET that costs nothing while nothing changed: the last answer is given again, as the same object, on a 304. */
export async function apiCached<S extends z.ZodType>(
  schema: S,
  path: string,
  options: ApiOptions = {},
): Promise<z.output<S>> {
  const { token } = currentSession()
  const last = remembered.get(path)
  const usable = last && last.token === token ? last : null
  const response = await send('GET', path, undefined, options, usable ? { 'If-None-Match': usable.etag } : {})
  // What is remembered under this path passed this very schema: each path has one query.
  if (response.status === 304 && usable) return usable.answer as z.output<S>

  const answer = await parsed(schema, response)
  const etag = response.headers.get('etag')
  if (etag) remembered.set(path, { etag, token, answer })
  else remembered.delete(path)
  return answer
}

async function parsed<S extends z.ZodType>(schema: S, response: Response): Promise<z.output<S>> {
  const read = schema.safeParse(await answerOf(response))
  if (!read.success) throw unexpectedAnswer(response, read.error)
  return read.data
}
