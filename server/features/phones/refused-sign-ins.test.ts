import { beforeEach, describe, expect, test } from 'vitest'
import {
  buildHost,
  buildPhone,
  buildRoomUser,
  call,
  PASSWORD,
  phoneLogin,
  type TestHost,
} from '../../../test/factories/accounts.ts'
import { setup } from '../../../test/servers/setup.ts'

let now = Date.parse('2026-11-21T10:00:00Z')
let host: TestHost
let user: Awaited<ReturnType<typeof buildRoomUser>>

const server = await setup({ now: () => now })
beforeEach(async () => {
  now += 24 * 3_600_000
  host = await buildHost(server)
  user = await buildRoomUser(server, host)
})

async function refusalsWritten(): Promise<number> {
  const rows = await server.deps.db
    .selectFrom('audit')
    .select('action')
    .where('action', '=', 'phone_login_refused')
    .execute()
  return rows.length
}
const TOO_MANY = { status: 429, body: { code: 'too_many' } }

describe('POST /api/mobile/login', () => {
  test('slows down the right password on the wrong phone, from any address, and limits its audit entries', async () => {
    const phone = await buildPhone(server, host, user)
    const wrongPhone = (n: number) => {
      const body = { host_id: host.user_id, username: user.username, password: PASSWORD, device_id: `wrong-${n}` }
      return call(server, 'POST', '/mobile/login', { body: { ...body, platform: 'ios' }, from: `127.0.2.${n % 200}` })
    }
    const answers = []
    for (let n = 0; n < 100; n++) answers.push(await wrongPhone(n))
    // The phone's own sign-in used the first of the twenty right passwords on unknown devices.
    expect(answers.slice(0, 19).every(({ body }) => body.code === 'device_mismatch')).toBe(true)
    for (const answer of answers.slice(19))
      expect(answer).toMatchObject({ ...TOO_MANY, headers: { 'retry-after': '10' } })
    expect(await refusalsWritten()).toBe(19)

    expect((await phoneLogin(server, host, user, phone.device_id)).status).toBe(200) // the right phone is not slowed down
    now += 10_000
    expect((await wrongPhone(1)).body.code).toBe('device_mismatch')
    expect(await wrongPhone(2)).toMatchObject(TOO_MANY)
    expect(await refusalsWritten()).toBe(19) // one more in the same minute, from the same address

    const other = await buildRoomUser(server, host)
    await buildPhone(server, host, other)
    expect((await phoneLogin(server, host, other, 'wrong')).body.code).toBe('device_mismatch')
  })

  test.each([
    ['a user who is not active', 'user_inactive', () => `/host/users/${user.id}/deactivate`],
    ['a room that is stopped', 'room_stopped', () => '/host/profile/stop'],
  ])('the same applies to %s', async (_who, code, path) => {
    await call(server, 'POST', path(), { as: host })
    for (let n = 0; n < 20; n++) expect((await phoneLogin(server, host, user, 'own')).body.code).toBe(code)
    for (let n = 0; n < 5; n++) expect(await phoneLogin(server, host, user, 'own')).toMatchObject(TOO_MANY)
    expect(await refusalsWritten()).toBe(1)
  })
})
