import { beforeEach, describe, expect, test } from 'vitest'
import {
  buildHost,
  buildMaster,
  buildRoomUser,
  call,
  PASSWORD,
  phoneLogin,
  requestStream,
  type SignedIn,
  type TestHost,
} from '../../../test/factories/accounts.ts'
import { setup } from '../../../test/servers/setup.ts'
import { openStream } from '../../../test/servers/stream.ts'

let now = Date.parse('2026-11-21T10:00:00Z')
let host: TestHost

const server = await setup({ now: () => now })
const origin = await server.app.listen({ port: 0, host: '127.0.0.1' })
beforeEach(async () => {
  host = await buildHost(server)
  await call(server, 'PUT', '/host/app-info', { as: host, body: { password: PASSWORD } })
})

const status = (as: SignedIn) => call(server, 'POST', '/mobile/status', { as, body: {} })
const join = (as: SignedIn) => call(server, 'POST', '/mobile/join-ticket', { as })
const streamSession = (as: SignedIn) => requestStream(server, host, as)

async function runOut(): Promise<void> {
  const subscription_end_date = new Date(now - 1)
  await server.deps.db.updateTable('hosts').set({ subscription_end_date }).where('id', '=', host.id).execute()
}

async function pass(seconds: number): Promise<void> {
  now += seconds * 1_000
  await server.deps.rooms.sweep()
}

async function expectRefusal(phone: SignedIn): Promise<void> {
  const refusal = { code: 'subscription_inactive', message: 'The subscription of this room is not active.' }
  for (const answer of [await status(phone), await streamSession(phone), await join(phone)])
    expect(answer).toMatchObject({ status: 403, body: refusal })
  expect(await isOnline()).toBe(false)
}

async function isOnline(): Promise<boolean> {
  const room = await server.deps.rooms.get(host.id)
  return room.roster().some(({ id }) => room.isOnline(id))
}

describe.each(["a user's phone", "the host's own phone"])('%s', (whose) => {
  let phone: SignedIn
  beforeEach(async () => {
    const user = whose === "a user's phone" ? await buildRoomUser(server, host) : { username: host.user_id }
    phone = (await phoneLogin(server, host, user)).body.data
  })

  test('that is online when the subscription ends stays until it leaves, and cannot return', async () => {
    await status(phone)
    await runOut()
    for (let beats = 0; beats < 6; beats++) {
      await pass(10)
      expect((await status(phone)).status).toBe(200)
    }
    await pass(16)
    expect((await status(phone)).status).toBe(200) // asleep is not offline
    expect((await streamSession(phone)).status).toBe(200)
    expect(await join(phone)).toMatchObject({ status: 409, body: { code: 'room_not_connected' } })

    await pass(31)
    await expectRefusal(phone)
  })

  test('that has not joined yet is refused, also by a stream it was issued', async () => {
    const { sseUrl } = (await streamSession(phone)).body
    await runOut()
    await expectRefusal(phone)
    const answer = await fetch(origin + sseUrl)
    expect([answer.status, (await answer.json()).code]).toEqual([403, 'subscription_inactive'])
    expect((await call(server, 'POST', '/mobile/logout', { as: phone })).status).toBe(200)
  })

  test("that left cannot read from its stream's address", async () => {
    await status(phone)
    const url = origin + (await streamSession(phone)).body.sseUrl
    const stream = await openStream(url)
    await runOut()
    await pass(31)
    await stream.ended
    expect((await fetch(url)).status).toBe(403)
  })

  test('can return with its session once the subscription is extended', async () => {
    await runOut()
    await expectRefusal(phone)
    const extended = { as: await buildMaster(server), body: { additional_months: 1 } }
    expect((await call(server, 'POST', `/admin/hosts/${host.id}/extend-subscription`, extended)).status).toBe(200)
    expect((await status(phone)).status).toBe(200)
    expect((await streamSession(phone)).status).toBe(200)
  })

  test('is signed out when the subscription is cancelled, online or not', async () => {
    await status(phone)
    await call(server, 'POST', `/admin/hosts/${host.id}/cancel-subscription`, { as: await buildMaster(server) })
    expect((await status(phone)).status).toBe(401)
  })
})

test('a console can read its room without a subscription', async () => {
  await runOut()
  const { status, body } = await streamSession(host)
  expect(status).toBe(200)
  const stream = await openStream(origin + body.sseUrl)
  await stream.next('host-mute-all')
  stream.close()
})
