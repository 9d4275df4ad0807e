import { beforeEach, describe, expect, test } from 'vitest'
import {
  buildHost,
  buildPhone,
  buildRoomUser,
  call,
  phoneLogin,
  type TestHost,
  type TestPhone,
} from '../factories/accounts.ts'
import { setupNodes, type TestNode } from './setup.ts'

const { a, b, redis, start } = await setupNodes()

let host: TestHost
let phone: TestPhone
beforeEach(async () => {
  host = await buildHost(a)
  phone = await buildPhone(a, host, await buildRoomUser(a, host))
})

const poll = (node: TestNode) => call(node, 'GET', '/host/online-users', { as: host })
const mute = (node: TestNode, action: 'mute' | 'unmute') =>
  call(node, 'POST', `/host/users/${phone.id}/${action}`, { as: host })
/** Returns the user's mute; null while the room is out of step. */
async function mutedAt(node: TestNode): Promise<boolean | null> {
  const { body } = await poll(node)
  return body.out_of_step ? null : body.data.users[0]?.is_muted
}

test('limits on wrong passwords count at each server', async () => {
  const user = await buildRoomUser(a, host)
  await redis.kill()
  for (const node of [a, b]) {
    const guess = async () => (await phoneLogin(node, host, user, undefined, 'wrong password')).status
    for (let tries = 0; tries < 5; tries++) expect(await guess()).toBe(400)
    await expect.poll(guess).toBe(429)
  }
  await redis.start()
})

test('a server starts, and shares its rooms once Redis is there', async () => {
  await redis.kill()
  const late = await start()
  expect(await poll(late)).toMatchObject({ status: 200, body: { out_of_step: true } })
  expect((await mute(late, 'mute')).status).toBe(200)
  await redis.start()
  for (const node of [a, late]) await expect.poll(() => mutedAt(node)).toBe(true)
  await late.close()
})

describe('while Redis is killed and started again', () => {
  test('no one is signed out, and every call succeeds', async () => {
    const statuses = new Set<number>()
    let isOver = false
    const polling = [a, b].map(async (node) => {
      while (!isOver) {
        statuses.add((await poll(node)).status)
        statuses.add((await call(node, 'POST', '/mobile/status', { as: phone, body: {} })).status)
      }
    })
    for (const action of ['mute', 'unmute', 'mute'] as const) {
      await redis.kill()
      expect((await mute(a, action)).status).toBe(200)
      await redis.start()
      for (const node of [a, b]) await expect.poll(() => mutedAt(node)).toBe(action === 'mute')
    }
    isOver = true
    await Promise.all(polling)
    expect(statuses).toEqual(new Set([200]))
  })
})

describe('while Redis does not answer', () => {
  beforeEach(() => {
    redis.pause()
    return () => redis.resume()
  })

  test('users that two servers add by turns are answered, as they were stored last', async () => {
    for (let round = 0; round < 6; round++) {
      const [here, there] = round % 2 === 0 ? [a, b] : [b, a]
      const body = { username: `Singer ${round}`, user_id: `S0${round}`, password: 'the-lamp-of-the-user' }
      const added = await call(here, 'POST', '/host/users', { as: host, body })
      expect(added).toMatchObject({ status: 200, body: { data: { user: { username: `Singer ${round}` } } } })
      const edit = { ...body, password: '', reference: `Row ${round}` }
      const edited = await call(there, 'PUT', `/host/users/${added.body.data.user.id}`, { as: host, body: edit })
      expect(edited).toMatchObject({ status: 200, body: { data: { user: { reference: `Row ${round}` } } } })
    }
  })

  test('a phone that signs in at one is known to the other', async () => {
    const user = await buildRoomUser(a, host)
    const as = await buildPhone(a, host, user)
    for (const path of ['/mobile/me', '/mobile/room']) expect((await call(b, 'GET', path, { as })).status).toBe(200)
  })
})
