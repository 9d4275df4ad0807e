import { beforeEach, describe, expect, test } from 'vitest'
import {
  buildAssistant,
  buildHost,
  buildPhone,
  buildRoomUser,
  call,
  type TestHost,
  type TestPhone,
} from '../../../test/factories/accounts.ts'
import { setup } from '../../../test/servers/setup.ts'

let now = Date.now()
const server = await setup({ now: () => now })
let host: TestHost
/** Raise their hands in this order. */
let phones: TestPhone[]

const setOrder = (queue_order: unknown, as: { token: string } = host) =>
  call(server, 'PUT', '/host/queue-order', { as, body: { queue_order } })
const report = (as: TestPhone | undefined, body: object) =>
  call(server, 'POST', '/mobile/status', { as: as ?? null, body })
const letNextSpeak = async (expect?: object) =>
  (await call(server, 'POST', '/host/next-speaker', { as: host, body: expect ? { expect } : {} })).body.data?.speaker
const orderSaved = async (of = host) => (await call(server, 'GET', '/host/online-users', { as: of })).body.queue_order
const muteAll = () => call(server, 'POST', '/host/trigger-bulk-mute/mute', { as: host })

async function raiseHands(...hands: (TestPhone | undefined)[]): Promise<void> {
  for (const hand of hands) {
    now += 1 // never two in the same millisecond
    await report(hand, { wants_to_speak: true })
  }
}
/** Lets time pass, during which the phones report that they are there: after 30 s of silence they would be offline. */
async function pass(seconds: number): Promise<void> {
  for (let left = seconds; left > 0; left -= 15) {
    now += Math.min(left, 15) * 1_000
    await Promise.all(phones.map((phone) => report(phone, {})))
  }
}
/** Lets everybody speak for so many seconds, outside the queue. */
async function speakFor(...seconds: number[]): Promise<void> {
  for (const [index, phone] of phones.entries()) {
    await call(server, 'POST', `/host/users/${phone.id}/unmute`, { as: host })
    await report(phone, { speaker_on: true, is_speaking: true })
    await pass(seconds[index] ?? 0)
    await call(server, 'POST', `/host/users/${phone.id}/mute`, { as: host })
  }
}
/** The places that the phones show, of those whose hands are up. */
async function places(): Promise<string[]> {
  const places = await Promise.all(
    phones.map(async (phone) => {
      const { body } = await call(server, 'GET', '/mobile/room', { as: phone })
      return { id: phone.id, place: body.data.queue_place }
    }),
  )
  return places
    .filter(({ place }) => place !== null)
    .sort((one, other) => one.place - other.place)
    .map(({ id }) => id)
}
const idsOf = (...indexes: number[]) => indexes.map((index) => phones[index]?.id)

beforeEach(async () => {
  host = await buildHost(server)
  phones = []
  for (const username of ['amina', 'ben', 'chen'])
    phones.push(await buildPhone(server, host, await buildRoomUser(server, host, { username })))
  await muteAll()
})

describe('the order of the queue', () => {
  test('is that of raising, until the host chooses who has spoken least', async () => {
    await speakFor(90, 30, 60)
    await raiseHands(...phones)
    expect(await places()).toEqual(idsOf(0, 1, 2))
    expect((await setOrder('least_spoken')).status).toBe(200)
    expect(await places()).toEqual(idsOf(1, 2, 0))
    expect(await letNextSpeak()).toBe(phones[1]?.id)
    await setOrder('first_come')
    expect(await letNextSpeak()).toBe(phones[0]?.id)
  })

  test('gives each user one turn before anybody has a second, however long it was', async () => {
    await setOrder('fewest_turns')
    await speakFor(0, 60, 0) // was no turn of the queue
    await raiseHands(phones[0], phones[1])
    expect(await letNextSpeak()).toBe(phones[0]?.id)
    await raiseHands(phones[0]) // is muted by the next turn only
    expect(await letNextSpeak()).toBe(phones[1]?.id)
    await raiseHands(phones[0], phones[1], phones[2])
    expect(await places()).toEqual(idsOf(2, 0, 1))
    expect(await letNextSpeak()).toBe(phones[2]?.id)
    expect(await letNextSpeak()).toBe(phones[0]?.id)
  })

  test('leaves the user that the host saw as the next one, if it has changed at the same moment', async () => {
    await speakFor(90, 30, 60)
    await raiseHands(...phones)
    await setOrder('least_spoken')
    const seen = { next: phones[0]?.id, wants_to_speak_at: null, floor_user_id: null }
    expect(await letNextSpeak(seen)).toBe(phones[0]?.id)
  })

  test('is kept, and found in the log once, by whom it was changed', async () => {
    const moderator = await buildAssistant(server, host, 'moderator', 'Deputy')
    expect(await orderSaved()).toBe('first_come')
    for (let count = 0; count < 2; count++) expect((await setOrder('fewest_turns', moderator)).status).toBe(200)
    expect(await orderSaved()).toBe('fewest_turns')
    await server.deps.rooms.forget(host.id) // as after a restart
    expect(await orderSaved()).toBe('fewest_turns')
    const { body } = await call(server, 'GET', '/host/audit', { as: host })
    const entries = body.data.entries.filter(({ action }: { action: string }) => action === 'queue_order_set')
    expect(entries).toMatchObject([
      {
        actor: { name: 'Deputy' },
        before: { queue_order: 'first_come' },
        after: { queue_order: 'fewest_turns' },
      },
    ])
  })

  test('is refused where it is none of the three, and for phones, and another host changes only its own', async () => {
    await setOrder('least_spoken')
    for (const wrong of ['', 'random', 'LEAST_SPOKEN', null, 1, ['first_come'], undefined])
      expect((await setOrder(wrong)).status).toBe(422)
    expect((await call(server, 'PUT', '/host/queue-order', { as: host, body: [] })).status).toBe(422)
    expect((await setOrder('first_come', phones[0])).status).toBe(403)
    const other = await buildHost(server)
    await setOrder('fewest_turns', other)
    expect([await orderSaved(), await orderSaved(other)]).toEqual(['least_spoken', 'fewest_turns'])
  })
})
