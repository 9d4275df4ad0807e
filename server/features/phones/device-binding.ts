import type { z } from 'zod'
import type { MobileLogin } from '../../../shared/mobile.ts'
import { AppError } from '../../errors.ts'
import { isSameSecret, randomToken, sha256 } from '../../lib/secrets.ts'

/** The description that a phone sends of itself when it signs in. */
export type Device = Omit<z.output<typeof MobileLogin>, 'host_id' | 'username' | 'password'>

interface Binding {
  device_id: string | null
  device_secret_hash: string | null
  device_secret_required: boolean
}

/**
 * Binds a phone, or checks that it is the bound one. Its id is no proof, since lists show it, so it gets a secret. The
 * secret is required once the phone has sent it, or has used a session that came with it: a lost answer locks no phone
 * out.
 */
export function bindDevice(bound: Binding, login: Device) {
  const { device_secret_hash: hash } = bound
  const isProven = provesSecret(bound, login)
  if (isOtherPhone(bound, login))
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

export function isOtherPhone(bound: Binding, login: Device): boolean {
  if (bound.device_id === null) return false
  return bound.device_id !== login.device_id || (bound.device_secret_required && !provesSecret(bound, login))
}

function provesSecret({ device_id, device_secret_hash }: Binding, { device_secret }: Device) {
  if (device_id === null || device_secret_hash === null || device_secret == null) return false
  return isSameSecret(sha256(device_secret), device_secret_hash)
}
