import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { Account } from './state.ts'
import { findAccessToken } from './tokens.ts'
import type { Zoom } from './zoom.ts'

type FieldFault = { field: string; message: string }

/** A refusal in the words of Zoom's REST API. */
export class ZoomError extends Error {
  readonly status: number
  readonly code: number
  readonly errors: FieldFault[] | undefined
  readonly headers: Record<string, string>

  constructor(
    status: number,
    code: number,
    message: string,
    more: { errors?: FieldFault[]; headers?: Record<string, string> } = {},
  ) {
    super(message)
    this.status = status
    this.code = code
    this.errors = more.errors
    this.headers = more.headers ?? {}
  }
}

/** Zoom's rate-limit class of a call. Sent along with every answer, refusals too. */
type RateLabel = 'Light' | 'Medium'

/** Lets the bearer of a good token with this scope through, as the user who gave it. */
export function admit(
  zoom: Zoom,
  request: FastifyRequest,
  reply: FastifyReply,
  scope: string,
  label: RateLabel = 'Light',
): Account {
  reply.header('x-ratelimit-category', label)
  const held = findAccessToken(zoom, request.headers.authorization)
  const account = held && zoom.accountById(held.user_id)
  if (!held || !account) throw new ZoomError(401, 124, 'Invalid access token.')
  if (held.expires_at <= zoom.now()) throw new ZoomError(401, 124, 'Access token is expired.')
  if (!held.scopes.includes(scope)) {
    throw new ZoomError(400, 4711, `Invalid access token, does not contain scopes:[${scope}].`)
  }
  return account
}

/** A user-level app says `me`; Zoom refuses any other id, the user's own too. */
export function requireMe(userId: string) {
  if (userId !== 'me') throw new ZoomError(400, 4700, 'Invalid access token, does not contain scopes.')
}

export function invalid(...fields: string[]) {
  const errors = fields.map((field) => ({ field, message: 'Invalid field.' }))
  return new ZoomError(400, 300, 'Validation Failed.', { errors })
}

/** Reads a body or a query, and names every field that is wrong. */
export function read<Shape extends z.ZodType>(shape: Shape, input: unknown): z.infer<Shape> {
  const result = shape.safeParse(input ?? {})
  if (result.success) return result.data
  throw invalid(...new Set(result.error.issues.map((issue) => issue.path.join('.'))))
}

/** Zoom's ids are decimal; a leading zero or a sign is no meeting. */
export const MeetingNumber = z.string().regex(/^[1-9]\d{8,11}$/)

export function sendZoomError(error: FastifyError | ZoomError, _request: FastifyRequest, reply: FastifyReply) {
  if (error instanceof ZoomError) {
    const { status, code, message, errors, headers } = error
    return reply.code(status).headers(headers).send({ code, message, errors })
  }
  const status = error.statusCode ?? 500
  if (status < 500) return reply.code(status).send({ code: 300, message: error.message })
  console.error(error)
  return reply.code(500).send({ code: 500, message: 'Internal Server Error.' })
}
