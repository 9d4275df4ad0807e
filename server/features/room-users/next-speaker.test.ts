import { beforeEach, describe, expect, test } from 'vitest'
import {
  buildHost,
  buildPhone,
  buildRoomUser,
  call,
  type TestHost,
  type TestPhone,
} from '../../../test/factories/accounts.ts'
import { setup } from '../../../test/servers/setup.ts'

let aheadMs = 0
const server = await setup({ now: () => Date.now() + aheadMs })
let host: TestHost
let phones: { amina: TestPhone; ben: TestPhone; chen: TestPhone }

async function join(username: string): Promise<TestPhone> {
  return buildPhone(server, host, await buildRoomUser(server, host, { username }))
}
async function raiseHand(phone: TestPhone): Promise<void> {
  aheadMs += 1 // never two in the same millisecond
  await call(server, 'POST', '/mobile/status', { as: phone, body: { wants_to_speak: true } })
}
const act = (path: string, body?: object) => call(server, 'POST', path, { as: host, ...(body && { body }) })
async function shown() {
  const { body } = await call(server, 'GET', '/host/online-users', { as: host })
  const { users }: { users: { id: string; is_muted: boolean; wants_to_speak_at: string | null }[] } = body.data
  const asking = users.filter(({ wants_to_speak_at }) => wants_to_speak_at !== null)
  const [first] = asking.toSorted((a, b) => (a.wants_to_speak_at ?? '').localeCompare(b.wants_to_speak_at ?? ''))
  const open = users.filter(({ is_muted }) => !is_muted).map(({ id }) => id)
  const expect = {
    next: first?.id ?? '',
    wants_to_speak_at: first?.wants_to_speak_at ?? null,
    floor_user_id: body.floor_user_id,
  }
  return { open, expect }
}

beforeEach(async () => {
  host = await buildHost(server)
  phones = { amina: await join('amina'), ben: await join('ben'), chen: await join('chen') }
  await act('/host/trigger-bulk-mute/mute')
  for (const phone of [phones.amina, phones.ben, phones.chen]) await raiseHand(phone)
})

describe('POST /host/next-speaker', () => {
  test('lets one after the other speak, and mutes whoever had the floor', async () => {
    const first = await act('/host/next-speaker')
    expect(first.body.data).toEqual({ targeted: 1, reachable: 0, speaker: phones.amina.id, muted: null })
    expect(await shown()).toMatchObject({ open: [phones.amina.id], expect: { floor_user_id: phones.amina.id } })
    const second = await act('/host/next-speaker', { expect: (await shown()).expect })
    expect(second.body.data).toMatchObject({ speaker: phones.ben.id, muted: phones.amina.id })
    expect((await shown()).open).toEqual([phones.ben.id])
    const { body } = await call(server, 'GET', '/host/audit', { as: host })
    const acts = body.data.entries
      .slice(0, 3)
      .map(({ action, target }: { action: string; target: { id: string } }) => [action, target.id])
    expect(acts.toSorted()).toEqual(
      [
        ['user_unmute', phones.ben.id],
        ['user_mute', phones.amina.id],
        ['user_unmute', phones.amina.id],
      ].toSorted(),
    )
  })

  test('lets one speak when two consoles press together, or one of them late', async () => {
    const { expect: seen } = await shown()
    const answers = await Promise.all([1, 2, 3].map(() => act('/host/next-speaker', { expect: seen })))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409])
    const refused = answers.filter(({ status }) => status === 409)
    for (const { body } of refused)
      expect(body).toMatchObject({ code: 'state_changed', message: 'amina has been let speak already.' })
    expect((await shown()).open).toEqual([phones.amina.id])
  })

  test('refuses a hand that was lowered and raised again, and a floor that another one took', async () => {
    const { expect: seen } = await shown()
    await act(`/host/users/${phones.amina.id}/lower-hand`)
    await raiseHand(phones.amina)
    expect((await act('/host/next-speaker', { expect: seen })).body).toMatchObject({
      code: 'state_changed',
      message: 'The queue has changed in the meantime.',
    })
    const { expect: again } = await shown()
    await act(`/host/users/${phones.chen.id}/unmute`)
    expect((await act('/host/next-speaker', { expect: again })).body.code).toBe('state_changed')
    expect((await shown()).open).toEqual([phones.chen.id])
  })

  test('says so where no one wants to speak', async () => {
    for (const { id } of Object.values(phones)) await act(`/host/users/${id}/lower-hand`)
    expect(await act('/host/next-speaker')).toMatchObject({ status: 409, body: { message: 'No one wants to speak.' } })
  })

  test('the floor is free once its user is muted, alone or with all others', async () => {
    await act('/host/next-speaker')
    await act(`/host/users/${phones.amina.id}/mute`)
    expect((await shown()).expect.floor_user_id).toBeNull()
    await act('/host/next-speaker')
    await act('/host/trigger-bulk-mute/mute', { except: [phones.ben.id] })
    expect((await shown()).expect.floor_user_id).toBe(phones.ben.id)
    await act('/host/trigger-bulk-mute/mute')
    expect((await shown()).expect.floor_user_id).toBeNull()
  })
})

describe('what the caller saw of a user', () => {
  test('must still be so when a hand is lowered or allowed, a phone switched, a user deleted or edited', async () => {
    const { id } = phones.amina
    const seen = (await shown()).expect.wants_to_speak_at
    await act(`/host/users/${id}/lower-hand`)
    await raiseHand(phones.amina)
    const late = [
      await act(`/host/users/${id}/lower-hand`, { expect: { wants_to_speak_at: seen } }),
      await act(`/host/users/${id}/unmute`, { expect: { is_muted: true, wants_to_speak_at: seen } }),
      await act(`/host/users/${id}/switch`, { expect: { device_id: 'another' } }),
      await act(`/host/users/${id}/logout`, { expect: { device_id: 'another' } }),
      await act(`/host/users/${id}/delete`, { expect: { username: 'Amina', user_id: 'U000001' } }),
      await call(server, 'PUT', `/host/users/${id}`, {
        as: host,
        body: {
          username: 'amina y.',
          user_id: 'U900',
          expect: { username: 'someone', user_id: 'U900', reference: null },
        },
      }),
    ]
    for (const { status, body } of late) expect([status, body.code]).toEqual([409, 'state_changed'])
    expect((await shown()).open).toEqual([])
    const { body } = await call(server, 'GET', `/host/users/${id}`, { as: host })
    const { user } = body.data
    expect(user).toMatchObject({ username: 'amina', wants_to_speak: true, is_online: true })
    const { username, user_id, reference, device_id, wants_to_speak_at } = user
    const edited = await call(server, 'PUT', `/host/users/${id}`, {
      as: host,
      body: { username: 'amina y.', user_id, reference, expect: { username, user_id, reference } },
    })
    expect(edited.status).toBe(200)
    for (const [action, expected] of [
      ['lower-hand', { wants_to_speak_at }],
      ['switch', { device_id }],
      ['delete', { username: 'amina y.', user_id }],
    ] as const)
      expect((await act(`/host/users/${id}/${action}`, { expect: expected })).status).toBe(200)
  })
})
