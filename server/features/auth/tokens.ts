import { jwtVerify, SignJWT } from 'jose'
import type { Secrets } from '../../lib/secrets.ts'

export type SessionRole = 'master' | 'host' | 'phone'

/** What a token says of itself. The session row it names decides whether that still holds. */
export interface TokenClaims {
  sid: string
  role: SessionRole
  adminId?: string
  hostId?: string
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

/** The session that a token names, or null for anything that we did not sign for this use. */
export async function readToken(secrets: Secrets, token: string, now: Date): Promise<string | null> {
  if (!token.split('.').every(isPlain)) return null
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

/** The same bytes can be spelt in several ways; a session that is ended must not live on under another spelling. */
function isPlain(part: string): boolean {
  return Buffer.from(part, 'base64url').toString('base64url') === part
}
