import type { z } from 'zod'
import type { MobileLogin } from '../../../shared/mobile.ts'
import { AppError } from '../../errors.ts'
import { isSame, randomToken, sha256 } from '../../lib/secrets.ts'

interface Binding {
  device_id: string | null
  device_secret_hash: string | null
  device_secret_required: boolean
}

/**
 * Binds a phone, or checks that it is the bound one. Its id is no proof, since lists show it, so it gets a secret. The secret
 * is required once the phone is known to have it: it has sent it, or has used a session that came with it. So an answer
 * that was lost on its way locks no phone out.
 */
export function bindDevice(bound: Binding, login: z.output<typeof MobileLogin>) {
  const isBound = bound.device_id !== null
  const { device_secret_hash: hash } = bound
  const isProven = isBound && hash !== null && login.device_secret != null && isSame(sha256(login.device_secret), hash)
  const isOther = isBound && (bound.device_id !== login.device_id || (bound.device_secret_required && !isProven))
  if (isOther)
    throw new AppError('device_mismatch', 'This account is linked to another phone. Ask your host to switch it.')

  const secret = isProven ? null : randomToken()
  const columns = {
    device_id: login.device_id,
    device_secret_hash: secret === null ? hash : sha256(secret),
    device_secret_required: isProven,
    device_model: login.device_model ?? null,
    platform: login.platform,
    app_version: login.app_version ?? null,
  }
  return { columns, secret }
}
