import { beforeEach, expect, test, vi } from 'vitest'
import { buildHost, call, phoneLogin, type TestHost } from '../../../test/factories/accounts.ts'
import { setup } from '../../../test/servers/setup.ts'
import { hashPasswords } from './jobs.ts'

const server = await setup()
let host: TestHost
beforeEach(async () => {
  vi.spyOn(server.deps.jobs, 'wake').mockReturnValue()
  host = await buildHost(server)
})

async function importUsers(...names: string[]): Promise<string[]> {
  const users = names.map((username, n) => ({ username, user_id: `U00000${n + 1}`, password: `${username}-lantern` }))
  const { body } = await call(server, 'POST', '/host/users/import', { as: host, body: { users } })
  return body.data.added.map(({ id }: { id: string }) => id)
}
const signIn = async (username: string, password = `${username}-lantern`, phone = `phone of ${username}`) =>
  (await phoneLogin(server, host, { username }, phone, password)).status
const hashes = () =>
  server.deps.db.selectFrom('room_users').select(['id', 'password_hash']).orderBy('user_id').execute()

test('imported users sign in by their passwords alone, before and after these are hashed', async () => {
  const hash = vi.spyOn(server.deps.passwords, 'hash')
  await importUsers('amina', 'bela')
  expect(hash).not.toHaveBeenCalled()
  expect([await signIn('amina'), await signIn('bela', 'amina-lantern')]).toEqual([200, 400])
  expect(await hashPasswords.run(server.deps)).toBe(2)
  expect(await hashPasswords.run(server.deps)).toBe(0)
  expect((await hashes()).map(({ password_hash }) => password_hash?.startsWith('$argon2id$'))).toEqual([true, true])
  expect([await signIn('amina'), await signIn('bela', 'amina-lantern'), await signIn('bela')]).toEqual([200, 400, 200])
})

test('a sign-in goes through while its password is being hashed', async () => {
  await importUsers('amina')
  const isRight = server.deps.passwords.isRight.bind(server.deps.passwords)
  vi.spyOn(server.deps.passwords, 'isRight').mockImplementationOnce(async (...login) => {
    const answer = await isRight(...login)
    await hashPasswords.run(server.deps)
    return answer
  })
  expect(await signIn('amina')).toBe(200)
})

test('a password that the host changes meanwhile is the one that counts', async () => {
  const [id] = await importUsers('amina')
  const hash = server.deps.passwords.hash.bind(server.deps.passwords)
  vi.spyOn(server.deps.passwords, 'hash').mockImplementationOnce(async (...old) => {
    const body = { username: 'amina', user_id: 'U000001', password: 'another-lamp' }
    expect((await call(server, 'PUT', `/host/users/${id}`, { as: host, body })).status).toBe(200)
    return hash(...old)
  })
  expect(await hashPasswords.run(server.deps)).toBe(0)
  expect([await signIn('amina'), await signIn('amina', 'another-lamp')]).toEqual([400, 200])
})

test('hashes what a stopped server left, and skips what it cannot read', async () => {
  const [amina = ''] = await importUsers('amina', ...Array.from({ length: 30 }, (_, n) => `listener-${n}`))
  const unreadable = { password_ciphertext: 'stored.elsewhere' }
  await server.deps.db.updateTable('room_users').set(unreadable).where('id', '=', amina).execute()
  const stop = new AbortController()
  const hash = server.deps.passwords.hash.bind(server.deps.passwords)
  vi.spyOn(server.deps.passwords, 'hash').mockImplementationOnce((...one) => {
    stop.abort()
    return hash(...one)
  })
  expect(await hashPasswords.run(server.deps, stop.signal)).toBe(1)
  expect(await hashPasswords.run(server.deps)).toBe(29)
  expect((await hashes()).filter(({ password_hash }) => password_hash === null)).toMatchObject([{ id: amina }])
})
