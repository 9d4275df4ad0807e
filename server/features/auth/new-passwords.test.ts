import { beforeEach, expect, test } from 'vitest'
import {
  buildHost,
  buildRoomUser,
  call,
  PASSWORD,
  phoneLogin,
  type TestHost,
} from '../../../test/factories/accounts.ts'
import { setup } from '../../../test/servers/setup.ts'
import { noopBus } from '../../lib/bus.ts'
import { Passwords } from './passwords.ts'

let now = Date.parse('2026-11-21T10:00:00Z')
let host: TestHost

const server = await setup({ now: () => now })
beforeEach(async () => {
  host = await buildHost(server)
})

/** Twenty of each account: as many right passwords as it may send at a time from devices that are not known yet. */
const SIGN_INS = 40

const people = (list: string, count: number) =>
  Array.from({ length: count }, (_, n) => ({ username: `${list}-${n}`, user_id: `${list}-${n}`, password: 'lamp' }))
const importPeople = (users: object[], as = host) => call(server, 'POST', '/host/users/import', { as, body: { users } })

test('others can log in while a host imports 56 lists at once', async () => {
  const other = await buildHost(server)
  const user = await buildRoomUser(server, other)
  const taken = people('taken', 12)
  await importPeople(taken)

  const imports = Array.from({ length: 56 }, (_, n) => importPeople(n % 2 ? taken : people(`list${n}`, 2)))
  const signIns = await Promise.all(
    Array.from({ length: SIGN_INS }, (_, n) =>
      n % 2
        ? call(server, 'POST', '/auth/host/login', { body: { username: other.username, password: PASSWORD } })
        : phoneLogin(server, other, user, 'the-phone'),
    ),
  )
  expect(signIns.map(({ status }) => status)).toEqual(Array(SIGN_INS).fill(200))
  expect((await Promise.all(imports)).map(({ status }) => status)).toEqual(Array(56).fill(200))
})

test('limits new passwords, not calls, per host, and does not count taken names', async () => {
  server.deps.passwords = new Passwords({ now: () => now, bus: noopBus }, { burst: 12, perSecond: 1 })
  const other = await buildHost(server)
  const list = people('list', 10)
  expect((await importPeople(list)).body.data.added).toHaveLength(10)
  for (let again = 0; again < 3; again++) expect((await importPeople(list)).body.data.failed).toHaveLength(10)
  const taken = { username: 'list-0', user_id: 'another', password: 'lamp' }
  for (let again = 0; again < 3; again++)
    expect((await call(server, 'POST', '/host/users', { as: host, body: taken })).body.code).toBe('conflict')

  const refused = await importPeople(people('more', 3))
  expect(refused).toMatchObject({ status: 429, headers: { 'retry-after': '1' }, body: { code: 'too_many' } })
  expect((await importPeople(people('two', 2))).status).toBe(200)
  const user = await call(server, 'POST', '/host/users', { as: host, body: people('one', 1)[0] })
  expect(user.body.code).toBe('too_many')
  const edited = { username: 'list-0', user_id: 'list-0', password: 'lantern' }
  const [{ id }] = (await call(server, 'GET', '/host/users', { as: host })).body.data.users
  expect((await call(server, 'PUT', `/host/users/${id}`, { as: host, body: edited })).body.code).toBe('too_many')
  const renamed = { ...edited, reference: 'Row 3', password: '' }
  expect((await call(server, 'PUT', `/host/users/${id}`, { as: host, body: renamed })).status).toBe(200)
  expect((await importPeople(people('theirs', 3), other)).status).toBe(200)
  now += 1_000
  expect((await importPeople(people('one', 1))).status).toBe(200)
})
