import { jwtVerify, SignJWT } from 'jose'
import type { ConsoleRole } from '../../../shared/auth.ts'
import type { Secrets } from '../../lib/secrets.ts'

export type SessionRole = ConsoleRole | 'phone'

/** The session row decides if the claims are still valid. */
export interface TokenClaims {
  sid: string
  role: SessionRole
  adminId?: string
  hostId?: string
  assistantId?: string
}

const AUDIENCE = 'parley-api'

export async function signToken(
  secrets: Secrets,
  claims: TokenClaims,
  { from, until }: { from: Date; until: Date },
): Promise<string> {
  return new SignJWT({ ...claims })
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .setAudience(AUDIENCE)
    .setIssuedAt(from)
    .setExpirationTime(until)
    .sign(secrets.key('session-tokens'))
}

/** Returns the session's id, or null unless we signed the token for this use. At time 0 no token has expired yet. */
export async function readToken(secrets: Secrets, token: string, now: Date): Promise<string | null> {
  if (!token.split('.').every(isCanonical)) return null
  try {
    const { payload } = await jwtVerify(token, secrets.key('session-tokens'), {
      algorithms: ['HS256'],
      audience: AUDIENCE,
      currentDate: now,
    })
    return typeof payload.sid === 'string' ? payload.sid : null
  } catch {
    return null
  }
}

/** Rejects other base64url encodings of the same bytes, under which an ended session could stay valid. */
function isCanonical(part: string): boolean {
  return Buffer.from(part, 'base64url').toString('base64url') === part
}
