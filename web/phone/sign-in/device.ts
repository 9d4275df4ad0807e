import { z } from 'zod'
import { version } from '../../../package.json'
import { normaliseForComparison } from '../../../shared/normalise.ts'
import { readStored, store } from '../storage.ts'
import { phoneModel } from './phone-model.ts'

const Secrets = z.array(z.tuple([z.string(), z.string(), z.string()])) // Host ID, username, secret; the newest last
type Secrets = z.infer<typeof Secrets>

/**
 * A random id that lasts as long as the browser's data: to the server, this browser is a phone. Each room has a
 * different one, so that two hosts cannot recognise the same person.
 */
export function deviceId(hostId: string): string {
  const name = `device-id.${hostId.replace(/^H0*/, '')}`
  const kept = readStored(name)
  if (kept) return kept
  const made = randomId()
  store(name, made)
  return made
}

export async function describeDevice(hostId: string) {
  const device_model = await phoneModel()
  return { device_id: deviceId(hostId), device_model, platform: 'web' as const, app_version: version }
}

export function deviceSecretOf(hostId: string, username: string): string | null {
  return readSecrets().find((row) => isOf(row, hostId, username))?.[2] ?? null
}

/** Returns the secrets of the room's accounts that signed in here, newest first. */
export function deviceSecretsOf(hostId: string): string[] {
  const ofRoom = readSecrets().filter(([host]) => host === hostId)
  return ofRoom.map(([, , secret]) => secret).reverse()
}

export function storeDeviceSecret(hostId: string, username: string, secret: string): void {
  const others = readSecrets().filter((row) => !isOf(row, hostId, username))
  store('device-secrets', JSON.stringify([...others, [hostId, normaliseForComparison(username), secret]]))
}

const isOf = ([host, name]: Secrets[number], hostId: string, username: string) =>
  host === hostId && name === normaliseForComparison(username)

function readSecrets(): Secrets {
  try {
    return Secrets.parse(JSON.parse(readStored('device-secrets') ?? '[]'))
  } catch {
    return []
  }
}

/** `randomUUID` is missing on plain http unless the name is localhost. */
function randomId(): string {
  if (typeof crypto.randomUUID === 'function') return crypto.randomUUID()
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')
}
