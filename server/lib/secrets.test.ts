import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { randomToken, secretKeyIn, secretsFrom } from './secrets.ts'

const secrets = secretsFrom('a secret key for tests alone, 32 bytes or more')

test('encrypts the same text differently each time, and decrypts it', () => {
  const [first, second] = [secrets.encrypt('grüße', 'a:1'), secrets.encrypt('grüße', 'a:1')]
  expect(first).not.toBe(second)
  expect([secrets.decrypt(first, 'a:1'), secrets.decrypt(second, 'a:1')]).toEqual(['grüße', 'grüße'])
})

test('does not decrypt with another AAD, a changed bit or another key', () => {
  const sealed = secrets.encrypt('secret', 'room_users.password:1')
  expect(() => secrets.decrypt(sealed, 'room_users.password:2')).toThrow()
  const changed = `${sealed.slice(0, -3)}${sealed.at(-3) === 'A' ? 'B' : 'A'}${sealed.slice(-2)}`
  expect(() => secrets.decrypt(changed, 'room_users.password:1')).toThrow()
  const other = secretsFrom('another secret key for tests alone, 32 bytes')
  expect(() => other.decrypt(sealed, 'room_users.password:1')).toThrow('another SECRET_KEY')
})

test('a signature is valid for its text and purpose only', () => {
  const signature = secrets.sign('recording-links', 'a')
  expect(secrets.verify('recording-links', 'a', signature)).toBe(true)
  expect(secrets.verify('recording-links', 'b', signature)).toBe(false)
  expect(secrets.verify('session-tokens', 'a', signature)).toBe(false)
  expect(secrets.verify('recording-links', 'a', '')).toBe(false)
})

test('a token has 256 random bits', () => {
  const tokens = Array.from({ length: 100 }, () => randomToken())
  expect(new Set(tokens).size).toBe(100)
  for (const token of tokens) expect(Buffer.from(token, 'base64url')).toHaveLength(32)
})

test('generates the key once, readable only by its owner', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'parley-key-'))
  const isNew = async () => true
  const [first, second] = await Promise.all([secretKeyIn(folder, isNew), secretKeyIn(folder, isNew)])
  expect(first.length).toBeGreaterThanOrEqual(32)
  expect(await secretKeyIn(folder, isNew)).toBe(second)
  expect((await stat(join(folder, 'secret.key'))).mode & 0o777).toBe(0o600)
  await rm(join(folder, 'secret.key'))
  await expect(secretKeyIn(folder, async () => false)).rejects.toThrow('secret.key is missing')
  await rm(folder, { recursive: true })
})
