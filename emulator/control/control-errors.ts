import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'

export class NotFoundError extends Error {}

export function sendControlError(error: FastifyError, _request: FastifyRequest, reply: FastifyReply) {
  if (error instanceof z.ZodError) return reply.code(400).send({ error: z.prettifyError(error) })
  if (error instanceof NotFoundError) return reply.code(404).send({ error: error.message })
  const status = error.statusCode ?? 500
  if (status >= 500) console.error(error)
  return reply.code(status).send({ error: error.message })
}
