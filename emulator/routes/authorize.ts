import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ZoomScope } from '../../shared/zoom-scopes.ts'
import { RestError } from '../rest.ts'
import type { Account } from '../state/state.ts'
import { findAccessToken } from '../state/tokens.ts'
import type { Zoom } from '../state/zoom.ts'
import { countCall, type RateLabel } from './rate-limits.ts'

/** Returns the user of a valid token that has this scope. */
export function authorize(
  zoom: Zoom,
  request: FastifyRequest,
  reply: FastifyReply,
  scope: ZoomScope,
  label: RateLabel = 'Light',
): Account {
  reply.header('x-ratelimit-category', label)
  const held = findAccessToken(zoom, request.headers.authorization)
  const account = held && zoom.accountById(held.user_id)
  if (!held || !account) throw new RestError(401, 124, 'Invalid access token.')
  if (held.expires_at <= zoom.now()) throw new RestError(401, 124, 'Access token is expired.')
  countCall(zoom, account, label)
  if (!held.scopes.includes(scope)) {
    throw new RestError(400, 4711, `Invalid access token, does not contain scopes:[${scope}].`)
  }
  return account
}

/** A user-level app may only use `me`; Zoom refuses any other id, even the user's own. */
export function requireOwnUserId(userId: string) {
  if (userId !== 'me') throw new RestError(400, 4700, 'Invalid access token, does not contain scopes.')
}
