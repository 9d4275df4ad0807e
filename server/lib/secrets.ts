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

/** What a derived key is for: a key made for one purpose is of no use for another. */
type Purpose = 'session-tokens' | 'stored-secrets' | 'recording-links' | 'idempotent-bodies' | 'known-devices'

export interface Secrets {
  key(purpose: Purpose): Uint8Array
  /** AES-256-GCM. `aad` names table, row and field, so that a ciphertext copied to another row cannot be decrypted. */
  encrypt(text: string, aad: string): string
  decrypt(ciphertext: string, aad: string): string
  sign(purpose: Purpose, text: string): string
  verify(purpose: Purpose, text: string, signature: string): boolean
}

export function secretsFrom(secretKey: string): Secrets {
  const derive = (purpose: Purpose) => new Uint8Array(hkdfSync('sha256', secretKey, 'parley', `parley/${purpose}`, 32))
  const derived = new Map<Purpose, Uint8Array>()
  const key = (purpose: Purpose) => {
    const made = derived.get(purpose) ?? derive(purpose)
    derived.set(purpose, made)
    return made
  }
  const stored = key('stored-secrets')
  const keyId = createHash('sha256').update(stored).digest('base64url').slice(0, 8)
  const sign = (purpose: Purpose, text: string) => createHmac('sha256', key(purpose)).update(text).digest('base64url')

  return {
    key,
    sign,
    verify: (purpose, text, signature) => isSame(sign(purpose, text), signature),

    encrypt(text, aad) {
      const iv = randomBytes(12)
      const cipher = createCipheriv('aes-256-gcm', stored, iv).setAAD(Buffer.from(aad))
      const sealed = Buffer.concat([iv, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()])
      return `${keyId}.${sealed.toString('base64url')}`
    },

    decrypt(ciphertext, aad) {
      const [id, body = ''] = ciphertext.split('.')
      if (id !== keyId) throw new Error('This secret was stored under another SECRET_KEY')
      const sealed = Buffer.from(body, 'base64url')
      const decipher = createDecipheriv('aes-256-gcm', stored, sealed.subarray(0, 12))
      decipher.setAAD(Buffer.from(aad)).setAuthTag(sealed.subarray(-16))
      return Buffer.concat([decipher.update(sealed.subarray(12, -16)), decipher.final()]).toString('utf8')
    },
  }
}

/** Compares without telling by its time how much of the text was right. */
export function isSame(a: string, b: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(a), digest(b))
}

export const randomToken = (bytes = 32) => randomBytes(bytes).toString('base64url')
export const sha256 = (text: string) => createHash('sha256').update(text).digest('base64url')

/** The folder holds what was sealed by a key that is no longer there. */
export class SecretKeyMissing extends Error {
  constructor(path: string) {
    super(
      `${path} is missing, and what is stored here was sealed with it; put it back, or set SECRET_KEY to what it held.`,
    )
  }
}

/**
 * The key of this data folder, made at the first start and readable by its owner alone. `isNew` tells whether nothing
 * was stored here before: with another key, passwords and Zoom's tokens could never be opened again.
 */
export async function secretKeyIn(dataDir: string, isNew: () => Promise<boolean>): Promise<string> {
  const path = join(dataDir, 'secret.key')
  const made = `${path}.${randomToken(6)}`
  try {
    return (await readFile(path, 'utf8')).trim()
  } catch {
    if (!(await isNew())) throw new SecretKeyMissing(path)
    await writeFile(made, randomToken(48), { mode: 0o600, flush: true })
    await link(made, path).catch(ignoreExisting) // whole or not at all, and never over another's
    await rm(made)
    return (await readFile(path, 'utf8')).trim()
  }
}

function ignoreExisting(error: unknown): void {
  if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
}
