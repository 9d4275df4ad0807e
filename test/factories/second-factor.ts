import { Secret, TOTP } from 'otpauth'
import type { TestServer } from '../servers/start.ts'
import { call, type SignedIn } from './accounts.ts'

/** Returns the code that an app with this secret shows at a time. It is made outside of the server. */
export function totpCode(secret: string, timestamp: number): string {
  return new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp })
}

/** Sets an app up. The code of the step before is used up by that. */
export async function addTotp(server: TestServer, as: SignedIn): Promise<{ secret: string; recovery_codes: string[] }> {
  const begun = await call(server, 'POST', '/account/totp', { as })
  if (begun.status !== 200) throw new Error(`No app could be set up: ${JSON.stringify(begun.body)}`)
  const { secret } = begun.body.data
  const code = totpCode(secret, server.deps.now() - 30_000)
  const { status, body } = await call(server, 'POST', '/account/totp/confirm', { as, body: { code } })
  if (status !== 200) throw new Error(`The app was refused: ${JSON.stringify(body)}`)
  return { secret, recovery_codes: body.data.recovery_codes ?? [] }
}
