import type { FastifyInstance } from 'fastify'
import type { Deps } from '../deps.ts'
import { actorKeyOf } from '../features/auth/guards.ts'
import { TokenBuckets } from '../lib/token-bucket.ts'

/** The limit of one host, master or phone, over all its sessions: more than a person or an import ever needs. */
const WRITES = {
  name: 'writes',
  burst: 400,
  perSecond: 20,
  message: 'Too many requests. Please wait a moment and try again.',
}

/** Limits calls that write to the database, before their bodies are read. A phone's status has a limit of its own. */
export function limitWrites(api: FastifyInstance, deps: Deps): void {
  const writes = new TokenBuckets(deps, WRITES)
  api.addHook('onRoute', (route) => {
    const isWriting = [route.method].flat().some((method) => method !== 'GET' && method !== 'HEAD')
    if (!isWriting || route.config?.background) return
    route.preParsing = [
      async (request) => {
        if (request.session) writes.take(actorKeyOf(request))
      },
      ...[route.preParsing ?? []].flat(),
    ]
  })
}
