import { expect, test } from 'vitest'
import { execute } from '../../server/commands/execute.ts'
import { endSessionRows } from '../../server/features/auth/session-rows.ts'
import { buildHost, buildPhone, buildRoomUser, call, type TestHost, type TestPhone } from '../factories/accounts.ts'
import { setupNodes, type TestNode } from './setup.ts'

const { a, b } = await setupNodes({ roomTimes: { sweep: 200 } })

const usersAt = async (node: TestNode, as: TestHost) =>
  (await call(node, 'GET', '/host/online-users', { as })).body.data.users.length
const statusAt = async (node: TestNode, as: TestPhone) => (await call(node, 'POST', '/mobile/status', { as })).status

async function setUp() {
  const host = await buildHost(a)
  const user = await buildRoomUser(a, host, { username: 'Anita' })
  const phone = await buildPhone(b, host, user)
  for (const node of [a, b]) await expect.poll(() => usersAt(node, host)).toBe(1)
  return { host, user, phone }
}

test('a user who is erased at one server is gone from all, and its phone is signed out there', async () => {
  const { host, user, phone } = await setUp()
  const body = { confirm_name: 'Anita' }
  expect(await call(a, 'POST', `/host/users/${user.id}/erase`, { as: host, body })).toMatchObject({ status: 200 })
  for (const node of [a, b]) {
    await expect.poll(() => usersAt(node, host)).toBe(0)
    await expect.poll(() => statusAt(node, phone)).toBe(401)
  }
})

test('so is one whom a command has erased in the database', async () => {
  const { host, user, phone } = await setUp()
  const { config, db, now } = a.deps
  for (const { deps } of [a, b]) await deps.stays.flush()
  const sessions = {
    endRows: (tx: typeof db, filter: Parameters<typeof endSessionRows>[1], reason: string) =>
      endSessionRows(tx, filter, reason, now()),
    forget() {},
  }
  const args = { action: 'erase', host: host.user_id, user: user.user_id, is_sure: true }
  const outcome = await execute({ config, db, now, sessions }, { command: 'person', args })
  expect(outcome).toEqual({ lines: [expect.stringMatching(/^Erased Anita: 1 stay, \d+ audit rows\.$/)] })
  for (const node of [a, b]) {
    await expect.poll(() => usersAt(node, host)).toBe(0)
    await expect.poll(() => statusAt(node, phone)).toBe(401)
  }
  for (const { deps } of [a, b]) await deps.stays.flush()
  const stays = await db.selectFrom('stays').select(['username', 'user_id', 'left_at']).execute()
  expect(stays).toEqual([{ username: 'erased', user_id: '', left_at: expect.any(Date) }])
})
