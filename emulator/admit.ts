import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ZoomScope } from '../shared/zoom-scopes.ts'
import { countCall, type RateLabel } from './rate-limits.ts'
import { ZoomError } from './rest.ts'
import type { Account } from './state.ts'
import { findAccessToken } from './tokens.ts'
import type { Zoom } from './zoom.ts'

/** Lets the bearer of a good token with this scope through, as the user who gave it. */
export function admit(
  zoom: Zoom,
  request: FastifyRequest,
  reply: FastifyReply,
  scope: ZoomScope,
  label: RateLabel = 'Light',
): Account {
  reply.header('x-ratelimit-category', label)
  const held = findAccessToken(zoom, request.headers.authorization)
  const account = held && zoom.accountById(held.user_id)
  if (!held || !account) throw new ZoomError(401, 124, 'Invalid access token.')
  if (held.expires_at <= zoom.now()) throw new ZoomError(401, 124, 'Access token is expired.')
  countCall(zoom, account, label)
  if (!held.scopes.includes(scope)) {
    throw new ZoomError(400, 4711, `Invalid access token, does not contain scopes:[${scope}].`)
  }
  return account
}

/** A user-level app says `me`; Zoom refuses any other id, the user's own too. */
export function requireMe(userId: string) {
  if (userId !== 'me') throw new ZoomError(400, 4700, 'Invalid access token, does not contain scopes.')
}
