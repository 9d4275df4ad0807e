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
 * Binds a phone, or looks whether it is the bound one. Its id is no proof, since lists show it. So it is given a secret,
 * and is another phone without it from when it is known to have it: it has presented it, or its app keeps secrets and has
 * used the session that this one came with. An answer that was lost on its way therefore locks no phone out.
 */
export function bindDevice(bound: Binding, login: z.output<typeof MobileLogin>) {
  const isBound = bound.device_id !== null
  const { device_secret_hash: hash } = bound
  const isProven = isBound && hash !== null && login.device_secret != null && isSame(sha256(login.device_secret), hash)
  const isAnother = isBound && (bound.device_id !== login.device_id || (bound.device_secret_required && !isProven))
  if (isAnother)
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
