import { SignJWT } from 'jose'
import type { Config } from '../../config.ts'

export const JOIN_TICKET_SECONDS = 2 * 3600
/** A phone's or Zoom's clock may be a little behind ours. */
const CLOCK_SKEW_SECONDS = 30

export const SDK_ROLE = { guest: 0, host: 1 } as const

type Secrets = Pick<Config, 'ZOOM_SDK_KEY' | 'ZOOM_SDK_SECRET' | 'ZOOM_CLIENT_ID' | 'ZOOM_CLIENT_SECRET'>

interface Join {
  meeting_number: string
  role: (typeof SDK_ROLE)[keyof typeof SDK_ROLE]
}

export async function signForSdk(
  config: Secrets,
  { meeting_number, role }: Join,
  now: number,
): Promise<{ signature: string; expires: Date }> {
  const iat = Math.floor(now / 1000) - CLOCK_SKEW_SECONDS
  const exp = iat + JOIN_TICKET_SECONDS
  const key = config.ZOOM_SDK_KEY ?? config.ZOOM_CLIENT_ID ?? ''
  const secret = config.ZOOM_SDK_SECRET ?? config.ZOOM_CLIENT_SECRET ?? ''
  const claims = { appKey: key, sdkKey: key, mn: meeting_number, role, iat, exp, tokenExp: exp } // sdkKey is the old name
  const signature = await new SignJWT(claims)
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .sign(new TextEncoder().encode(secret))
  return { signature, expires: new Date(exp * 1000) }
}
