import type { FastifyRequest } from 'fastify'
import { z } from 'zod'

const Format = z.object({ format: z.string() })
export const isFile = ({ query }: FastifyRequest) => Format.parse(query).format === 'csv'

/** Files have a limit: each is audited although it only reads, and may have all rows of two years. */
export const MAX_FILES = 20
export const EXPORT_LIMIT = {
  rateLimit: { max: MAX_FILES, allowList: (request: FastifyRequest) => !isFile(request) },
  tooMany: 'Too many files in a short time. Please wait a moment and try again.',
}
