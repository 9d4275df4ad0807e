import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'

type FieldFault = { field: string; message: string }

/** An error response of Zoom's REST API. */
export class RestError extends Error {
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

export function invalidFields(...fields: string[]) {
  const errors = fields.map((field) => ({ field, message: 'Invalid field.' }))
  return new RestError(400, 300, 'Validation Failed.', { errors })
}

/** Parses a body or a query; the error lists each invalid field. */
export function parseInput<Shape extends z.ZodType>(shape: Shape, input: unknown): z.infer<Shape> {
  const result = shape.safeParse(input ?? {})
  if (result.success) return result.data
  throw invalidFields(...new Set(result.error.issues.map((issue) => issue.path.join('.'))))
}

export function parseJsonBody(body: string): unknown {
  if (body === '') return undefined
  try {
    return JSON.parse(body)
  } catch {
    throw new RestError(400, 300, 'Request Body should be a valid JSON object.')
  }
}

/** Decimal, without a leading zero or a sign. */
export const MeetingNumber = z.string().regex(/^[1-9]\d{8,11}$/)

export function sendZoomError(error: FastifyError | RestError, _request: FastifyRequest, reply: FastifyReply) {
  if (error instanceof RestError) {
    const { status, code, message, errors, headers } = error
    return reply.code(status).headers(headers).send({ code, message, errors })
  }
  const status = error.statusCode ?? 500
  if (status < 500) return reply.code(status).send({ code: 300, message: error.message })
  console.error(error)
  return reply.code(500).send({ code: 500, message: 'Internal Server Error.' })
}
