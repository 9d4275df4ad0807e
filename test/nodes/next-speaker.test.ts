import { expect, test } from 'vitest'
import { buildHost, buildPhone, buildRoomUser, call } from '../factories/accounts.ts'
import { setupNodes } from './setup.ts'

const ROUNDS = 10

let aheadMs = 0
const { a, b } = await setupNodes({ now: () => Date.now() + aheadMs })

test('two consoles that press Next together at two servers let one user speak', async () => {
  const host = await buildHost(a)
  await call(a, 'POST', '/host/trigger-bulk-mute/mute', { as: host })
  for (let count = 0; count < ROUNDS; count++) {
    const phone = await buildPhone(a, host, await buildRoomUser(a, host))
    await call(a, 'POST', '/mobile/status', { as: phone, body: { wants_to_speak: true } })
  }
  const read = async (node: typeof a) => {
    const { body } = await call(node, 'GET', '/host/online-users', { as: host })
    const users: { id: string; is_muted: boolean; wants_to_speak_at: string | null }[] = body.data.users
    const hands = users.flatMap(({ id, wants_to_speak_at }) => (wants_to_speak_at ? [{ id, wants_to_speak_at }] : []))
    hands.sort((one, other) => one.wants_to_speak_at.localeCompare(other.wants_to_speak_at))
    return { hands, floor: body.floor_user_id, open: users.filter(({ is_muted }) => !is_muted).map(({ id }) => id) }
  }
  for (let round = 0; round < ROUNDS; round++) {
    await expect.poll(async () => (await read(b)).hands.length).toBe(ROUNDS - round)
    const { hands, floor } = await read(a)
    const [first] = hands
    const seen = { next: first?.id, wants_to_speak_at: first?.wants_to_speak_at, floor_user_id: floor }
    await expect.poll(async () => (await read(b)).floor).toBe(floor)
    const answers = await Promise.all(
      [a, b].map((node) => call(node, 'POST', '/host/next-speaker', { as: host, body: { expect: seen } })),
    )
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409])
    for (const node of [a, b]) await expect.poll(async () => (await read(node)).open).toEqual([first?.id])
  }
})

test('two servers agree on what each user has spoken, and on the turns', async () => {
  const host = await buildHost(a)
  const phone = await buildPhone(a, host, await buildRoomUser(a, host))
  await call(a, 'POST', '/host/trigger-bulk-mute/mute', { as: host })
  const report = (node: typeof a, body: object) => call(node, 'POST', '/mobile/status', { as: phone, body })
  const shows = (node: typeof a, user: object) =>
    expect
      .poll(async () => (await call(node, 'GET', '/host/online-users', { as: host })).body.data.users)
      .toMatchObject([user])
  for (const [turn, here, there] of [
    [1, a, b],
    [2, b, a],
  ] as const) {
    await report(here, { wants_to_speak: true })
    await shows(there, { wants_to_speak: true })
    await call(there, 'POST', '/host/next-speaker', { as: host })
    await shows(here, { is_muted: false })
    await report(here, { speaker_on: true, is_speaking: true })
    await shows(there, { is_speaking: true })
    aheadMs += 90_000
    await report(there, { is_speaking: false })
    await shows(here, { turns_taken: turn })
    const { body } = await call(a, 'GET', '/host/online-users', { as: host })
    const [{ spoken_ms }] = body.data.users
    expect(Math.floor(spoken_ms / 90_000)).toBe(turn)
    await shows(b, { turns_taken: turn, spoken_ms })
    await call(here, 'POST', `/host/users/${phone.id}/mute`, { as: host })
    await shows(there, { is_muted: true })
  }
})

test('an order that is chosen at one server holds at the other, for the phones too', async () => {
  const host = await buildHost(a)
  const join = async () => buildPhone(a, host, await buildRoomUser(a, host))
  const [talker, quiet] = [await join(), await join()]
  const report = (phone: typeof talker, body: object) => call(a, 'POST', '/mobile/status', { as: phone, body })
  await report(talker, { speaker_on: true, is_speaking: true })
  aheadMs += 20_000
  for (const phone of [talker, quiet]) await report(phone, { is_speaking: false, wants_to_speak: true })
  const place = async (node: typeof a) => (await call(node, 'GET', '/mobile/room', { as: quiet })).body.data.queue_place
  for (const node of [a, b]) await expect.poll(() => place(node)).toBe(2)
  await call(b, 'PUT', '/host/queue-order', { as: host, body: { queue_order: 'least_spoken' } })
  for (const node of [a, b]) await expect.poll(() => place(node)).toBe(1)
  expect((await call(a, 'POST', '/host/next-speaker', { as: host })).body.data.speaker).toBe(quiet.id)
})

test('two servers end a turn that has taken too long once, and both show it', async () => {
  const host = await buildHost(a)
  await call(b, 'PUT', '/host/turn-limit', { as: host, body: { minutes: 1, mutes: true } })
  await call(a, 'POST', '/host/trigger-bulk-mute/mute', { as: host })
  const phone = await buildPhone(a, host, await buildRoomUser(a, host))
  const report = (node: typeof a, body = {}) => call(node, 'POST', '/mobile/status', { as: phone, body })
  await report(a, { wants_to_speak: true })
  await call(b, 'POST', '/host/next-speaker', { as: host })
  const read = async (node: typeof a) => (await call(node, 'GET', '/host/online-users', { as: host })).body
  for (const node of [a, b])
    await expect
      .poll(() => read(node))
      .toMatchObject({ floor_user_id: phone.id, turn_limit: { minutes: 1, mutes: true } })
  aheadMs += 61_000
  await Promise.all([report(a), report(b)])
  await Promise.all([a, b].map((node) => node.deps.rooms.sweep()))
  for (const node of [a, b])
    await expect
      .poll(() => read(node))
      .toMatchObject({ floor_user_id: null, floor_since: null, data: { users: [{ is_muted: true }] } })
  const { body } = await call(a, 'GET', '/host/audit', { as: host })
  const actions = body.data.entries.map(({ action }: { action: string }) => action)
  expect(actions.filter((action: string) => action === 'turn_ended')).toHaveLength(1)
})
