import type { FastifyRequest } from 'fastify'
import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors.ts'
import { actorKeyOf, sessionIdOf } from './guards.ts'

/** Reads a page of a file that is being sent. */
export type ReadFilePage = <T>(read: () => Promise<T>) => Promise<T>

/** An account's files are read one page at a time, and no further once the session has ended that asked for them. */
export function filePagesOf({ filePages, sessions }: Deps, request: FastifyRequest): ReadFilePage {
  return (read) =>
    filePages.run(actorKeyOf(request), async () => {
      if (!(await sessions.findById(sessionIdOf(request)))) throw new AppError('not_signed_in', 'Please sign in again.')
      return read()
    })
}
