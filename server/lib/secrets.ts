import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto'
import { link, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Each purpose has its own key, derived from SECRET_KEY. */
type Purpose =
  | 'installations'
  | 'session-tokens'
  | 'stream-tickets'
  | 'stored-secrets'
  | 'recording-links'
  | 'idempotent-bodies'
  | 'known-devices'
  | 'refused-sign-ins'
  | 'guarded-attendees'
  | 'redis-entries'
  | 'redis-names'
  | 'console-files'
  | 'hand-overs'

export interface Secrets {
  /** Names the key, and says nothing of it. It begins each ciphertext. */
  id: string
  key(purpose: Purpose): Uint8Array
  /** Uses AES-256-GCM. `aad` names table, row and field, so that a ciphertext cannot be moved to another row. */
  encrypt(text: string, aad: string): string
  decrypt(ciphertext: string, aad: string): string
  sign(purpose: Purpose, text: string): string
  verify(purpose: Purpose, text: string, signature: string): boolean
}

export function secretsFrom(secretKey: string): Secrets {
  const derive = (purpose: Purpose) => new Uint8Array(hkdfSync('sha256', secretKey, 'parley', `parley/${purpose}`, 32))
  const derived = new Map<Purpose, Uint8Array>()
  const key = (purpose: Purpose) => {
    const value = derived.get(purpose) ?? derive(purpose)
    derived.set(purpose, value)
    return value
  }
  const stored = key('stored-secrets')
  const id = createHash('sha256').update(stored).digest('base64url').slice(0, 8)
  const sign = (purpose: Purpose, text: string) => createHmac('sha256', key(purpose)).update(text).digest('base64url')

  return {
    id,
    key,
    sign,
    verify: (purpose, text, signature) => isSameSecret(sign(purpose, text), signature),

    encrypt(text, aad) {
      const iv = randomBytes(12)
      const cipher = createCipheriv('aes-256-gcm', stored, iv).setAAD(Buffer.from(aad))
      const sealed = Buffer.concat([iv, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()])
      return `${id}.${sealed.toString('base64url')}`
    },

    decrypt(ciphertext, aad) {
      const [under, body = ''] = ciphertext.split('.')
      if (under !== id) throw new Error('This secret was stored under another SECRET_KEY')
      const sealed = Buffer.from(body, 'base64url')
      const decipher = createDecipheriv('aes-256-gcm', stored, sealed.subarray(0, 12))
      decipher.setAAD(Buffer.from(aad)).setAuthTag(sealed.subarray(-16))
      return Buffer.concat([decipher.update(sealed.subarray(12, -16)), decipher.final()]).toString('utf8')
    },
  }
}

/** Compares in constant time, also texts of different length. */
export function isSameSecret(a: string, b: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(a), digest(b))
}

export const randomToken = (bytes = 32) => randomBytes(bytes).toString('base64url')
export const sha256 = (text: string) => createHash('sha256').update(text).digest('base64url')

export class SecretKeyMissing extends Error {
  constructor(path: string) {
    super(
      `${path} is missing, and the data stored here is encrypted with it. Put it back, or set SECRET_KEY to its content.`,
    )
  }
}

/** Reads the data folder's key file. Only the first start, or a restore, creates it: another key could not decrypt the data. */
export async function secretKeyIn(
  dataDir: string,
  isNew: () => Promise<boolean>,
  made = randomToken(48),
): Promise<string> {
  const path = join(dataDir, 'secret.key')
  const draft = `${path}.${randomToken(6)}`
  try {
    return (await readFile(path, 'utf8')).trim()
  } catch {
    if (!(await isNew())) throw new SecretKeyMissing(path)
    await writeFile(draft, made, { mode: 0o600, flush: true })
    await link(draft, path).catch(ignoreExisting) // atomic, and never replaces the key of another process
    await rm(draft)
    return (await readFile(path, 'utf8')).trim()
  }
}

/** Returns null where the data folder has no key file. */
export async function readSecretKey(dataDir: string): Promise<string | null> {
  try {
    return (await readFile(join(dataDir, 'secret.key'), 'utf8')).trim()
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
    throw error
  }
}

function ignoreExisting(error: unknown): void {
  if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
}
