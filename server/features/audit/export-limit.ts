import type { FastifyRequest } from 'fastify'
import { z } from 'zod'

const Format = z.object({ format: z.string() })

/** A file is audited although it is only read, and may have all rows of two years. */
export const EXPORT_LIMIT = {
  rateLimit: { max: 20, allowList: ({ query }: FastifyRequest) => Format.parse(query).format !== 'csv' },
  tooMany: 'Too many files in a short time. Please wait a moment and try again.',
}
