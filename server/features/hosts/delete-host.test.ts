import { beforeEach, describe, expect, test } from 'vitest'
import {
  buildHost,
  buildMaster,
  buildPhone,
  buildRoomUser,
  call,
  PASSWORD,
  phoneLogin,
  type TestHost,
} from '../../../test/factories/accounts.ts'
import { buildZoomHost, setupWithZoom } from '../../../test/zoom/emulated-zoom.ts'

const DAY = 24 * 3_600_000
let now = Date.parse('2026-11-21T10:00:00Z')
let master: Awaited<ReturnType<typeof buildMaster>>

const server = await setupWithZoom({ now: () => now })
beforeEach(async () => {
  master = await buildMaster(server)
})

const restore = (id: string, as: { token: string } = master) =>
  call(server, 'POST', `/admin/hosts/${id}/restore`, { as })
const remove = (id: string) => call(server, 'DELETE', `/admin/hosts/${id}`, { as: master })
const signIn = ({ username }: TestHost) =>
  call(server, 'POST', '/auth/host/login', { body: { username, password: PASSWORD } })
const deleted = async () => (await call(server, 'GET', '/admin/hosts?deleted=true', { as: master })).body.data.hosts

test('lists a deleted host with its purge date, and refuses its login', async () => {
  const host = await buildHost(server)
  await buildHost(server)
  await remove(host.id)
  expect(await deleted()).toMatchObject([
    { id: host.id, deleted_at: new Date(now).toISOString(), purge_at: new Date(now + 30 * DAY).toISOString() },
  ])
  expect((await signIn(host)).status).toBe(400)
  expect((await call(server, 'GET', `/admin/hosts/${host.id}`, { as: master })).status).toBe(404)
})

test('restores room, users and subscription, but neither sessions nor Zoom', async () => {
  const host = await buildZoomHost(server)
  const user = await buildRoomUser(server, host, { username: 'amina' })
  const phone = await buildPhone(server, host, user)
  await call(server, 'POST', '/host/trigger-bulk-mute/mute', { as: host })
  await remove(host.id)
  expect((await phoneLogin(server, host, user, phone.device_id)).status).toBe(400)
  now += 29 * DAY
  master = await buildMaster(server)

  const restored = await restore(host.id)
  expect(restored).toMatchObject({
    status: 200,
    body: {
      data: {
        id: host.id,
        username: host.username,
        room_name: host.room_name,
        user_count: 1,
        subscription_status: 'active',
        subscription_end_date: host.subscription_end_date,
        zoom_status: 'not_connected',
        zoom_user_email: null,
        deleted_at: null,
        purge_at: null,
      },
    },
  })
  expect(await deleted()).toEqual([])
  expect((await call(server, 'GET', '/host/profile', { as: host })).status).toBe(401)
  expect((await call(server, 'GET', '/mobile/me', { as: phone })).status).toBe(401)

  const as = (await signIn(host)).body.data
  expect((await call(server, 'GET', '/host/users', { as })).body.data.users).toMatchObject([
    { id: user.id, username: 'amina', is_muted: true, is_online: false },
  ])
  expect((await call(server, 'GET', '/host/room', { as })).body.data.room).toMatchObject({ zoom_meeting_id: null })
  expect((await phoneLogin(server, host, user, phone.device_id)).status).toBe(200)
  const acts = (await call(server, 'GET', `/admin/audit?host_id=${host.id}&actor=${master.id}`, { as: master })).body
    .data
  expect(acts.entries).toMatchObject([{ action: 'host_restored', target: { id: host.id, name: host.username } }])
})

describe('does not restore', () => {
  test('when names were taken since, naming each of them', async () => {
    const host = await buildHost(server)
    await remove(host.id)
    const namesake = await buildHost(server, { username: host.username.toUpperCase() })
    expect(await restore(host.id)).toMatchObject({
      status: 409,
      body: { code: 'conflict', errors: [{ path: 'username', msg: 'This username is already taken' }] },
    })
    await buildHost(server, { email: host.email.toUpperCase() })
    expect((await restore(host.id)).body.errors).toMatchObject([{ path: 'username' }, { path: 'email' }])
    await remove(namesake.id)
    expect((await restore(host.id)).body.errors).toMatchObject([{ path: 'email' }])
    expect(await deleted()).toHaveLength(2)
  })

  test('one of two hosts with the same name, when both are restored at once', async () => {
    const first = await buildHost(server)
    await remove(first.id)
    const second = await buildHost(server, { username: first.username })
    await remove(second.id)
    const answers = await Promise.all([restore(first.id), restore(second.id)])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
    expect(await deleted()).toHaveLength(1)
  })

  test('after 30 days, or twice', async () => {
    const host = await buildHost(server)
    await remove(host.id)
    expect((await restore(host.id)).status).toBe(200)
    expect(await restore(host.id)).toMatchObject({ status: 409, body: { code: 'conflict' } })
    await remove(host.id)
    now += 30 * DAY
    master = await buildMaster(server)
    expect(await restore(host.id)).toMatchObject({ status: 409, body: { code: 'conflict' } })
    expect(await deleted()).toHaveLength(1)
  })

  test('an unknown host, or for anyone but a master', async () => {
    const host = await buildHost(server)
    const phone = await buildPhone(server, host, await buildRoomUser(server, host))
    for (const id of ['00000000-0000-4000-8000-000000000000', 'x']) expect((await restore(id)).status).toBe(404)
    for (const path of ['restore', 'purge']) {
      const url = `/admin/hosts/${host.id}/${path}`
      expect((await call(server, 'POST', url)).status).toBe(401)
      for (const as of [host, phone]) expect((await call(server, 'POST', url, { as })).status).toBe(403)
    }
  })
})
