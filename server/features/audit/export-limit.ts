import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import { actorKeyOf } from '../auth/guards.ts'

const Format = z.object({ format: z.string() })
export const isFileExport = ({ query }: FastifyRequest) => Format.parse(query).format !== 'json'

/** Files have a limit: each is audited although it only reads, and may have all rows of two years. */
export const MAX_FILES = 20

/** Limits the files of an account, over all its sessions, and its other reads by a key of their own. */
export function limitAuditReads(max: number, keyOf: (request: FastifyRequest) => string) {
  return {
    rateLimit: {
      max: (request: FastifyRequest) => (isFileExport(request) ? MAX_FILES : max),
      keyGenerator: (request: FastifyRequest) => (isFileExport(request) ? actorKeyOf(request) : keyOf(request)),
    },
    turns: (request: FastifyRequest) => (isFileExport(request) ? ('files' as const) : ('database' as const)),
  }
}
