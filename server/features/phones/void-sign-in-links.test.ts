import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { buildHost, buildMaster, buildPhone, buildRoomUser, call, PASSWORD } from '../../../test/factories/accounts.ts'
import {
  actOnUser,
  clock,
  createLink,
  createLinkToken,
  host,
  LINK_INVALID,
  listOpenLinks,
  loginByLink,
  readStoredLinks,
  revokeLink,
  server,
  setupLinks,
  user,
} from '../../../test/factories/sign-in-links.ts'

await setupLinks()

const newHostPassword = async () => {
  const body = { password: 'quite another one' }
  return call(server, 'PUT', `/admin/hosts/${host.id}`, { as: await buildMaster(server), body })
}
async function approvePhone() {
  await buildPhone(server, host, user)
  const device = { device_id: 'next', device_model: 'iPhone 17', platform: 'web' }
  const body = { host_id: host.user_id, username: user.username, password: PASSWORD, ...device }
  expect((await call(server, 'POST', '/mobile/phone-requests', { body })).status).toBe(200)
  return call(server, 'POST', `/host/phone-requests/${user.id}/approve`, { as: host })
}

describe('a link is void', () => {
  const edit = (password: string) => {
    const body = { username: user.username, user_id: user.user_id, password }
    return call(server, 'PUT', `/host/users/${user.id}`, { as: host, body })
  }

  test.each<[string, () => Promise<unknown>]>([
    ['when the user gets another password', () => edit('another good lamp')],
    [
      'when the user is deactivated, also once it is active again',
      () => actOnUser('deactivate').then(() => actOnUser('activate')),
    ],
    ['when the user is deleted', () => actOnUser('delete')],
    ["when the user's phone is signed out", () => actOnUser('logout')],
    ["when the user's phone is switched", () => actOnUser('switch')],
    ['when the host lets a new phone in', approvePhone],
    ['when a master sets another password for the host', newHostPassword],
    ['when it is revoked', () => revokeLink()],
    [
      'when many users are deactivated',
      async () => {
        const body = { userIds: [user.id, randomUUID()] }
        for (const action of ['deactivate', 'activate'])
          await call(server, 'POST', `/host/users/bulk/${action}`, { as: host, body })
      },
    ],
    [
      'when the host is deleted, also once it is restored',
      async () => {
        const as = await buildMaster(server)
        await call(server, 'DELETE', `/admin/hosts/${host.id}`, { as })
        expect((await call(server, 'POST', `/admin/hosts/${host.id}/restore`, { as })).status).toBe(200)
      },
    ],
  ])('%s', async (_, event) => {
    const token = await createLinkToken()
    await event()
    expect(await loginByLink(token)).toMatchObject(LINK_INVALID)
    expect(await readStoredLinks()).toEqual([])
  })

  test('while its host is deleted', async () => {
    const token = await createLinkToken()
    await call(server, 'DELETE', `/admin/hosts/${host.id}`, { as: await buildMaster(server) })
    expect(await loginByLink(token)).toMatchObject(LINK_INVALID)
  })

  test('not by an edit that keeps the password, nor by muting, nor with that of another user', async () => {
    const other = await buildRoomUser(server, host)
    const token = await createLinkToken()
    await edit('')
    for (const action of ['mute', 'unmute', 'activate']) await actOnUser(action)
    for (const action of ['logout', 'switch', 'deactivate']) await actOnUser(action, other.id)
    expect((await loginByLink(token)).status).toBe(200)
  })

  test("under another host's id", async () => {
    const stranger = await buildHost(server)
    const token = await createLinkToken()
    for (const host_id of [stranger.user_id, 'H999999', 'x'])
      expect(await loginByLink(token, { host_id })).toMatchObject(LINK_INVALID)
    expect((await loginByLink(token, { host_id: host.user_id.toLowerCase() })).status).toBe(200)
  })
})

describe('no link is made', () => {
  test.each([
    ["for another host's user", () => buildHost(server).then((other) => buildRoomUser(server, other))],
    ['for one that does not exist', async () => ({ id: randomUUID() })],
    ['for what is no id', async () => ({ id: 'U000001' })],
    ['for one that was deleted', () => actOnUser('delete').then(() => user)],
    ['for the host itself', async () => host],
  ])('%s', async (_, whose) => {
    const { id } = await whose()
    expect(await createLink(id)).toMatchObject({ status: 404, body: { code: 'not_found', message: 'User not found' } })
    expect(await readStoredLinks()).toEqual([])
  })

  test('for a user who is not active', async () => {
    await actOnUser('deactivate')
    expect(await createLink()).toMatchObject({ status: 403, body: { code: 'user_inactive' } })
    expect(await readStoredLinks()).toEqual([])
  })

  test('once its host is deleted, though the call was let in before', async () => {
    await server.deps.db
      .updateTable('hosts')
      .set({ deleted_at: new Date(clock.now) })
      .where('id', '=', host.id)
      .execute()
    expect((await createLink()).status).toBe(404)
    expect(await readStoredLinks()).toEqual([])
  })

  test('by a session that has ended, though the call was let in before', async () => {
    await listOpenLinks() // caches the session
    const ended = { ended_at: new Date(clock.now), end_reason: 'password_changed' }
    await server.deps.db.updateTable('sessions').set(ended).where('host_id', '=', host.id).execute()
    expect(await createLink()).toMatchObject({ status: 401, body: { code: 'not_signed_in' } })
    expect(await readStoredLinks()).toEqual([])
  })

  test('beyond sixty a minute', async () => {
    for (let n = 0; n < 60; n++) expect((await createLink()).status).toBe(200)
    expect(await createLink()).toMatchObject({ status: 429, headers: { 'retry-after': '60' } })
  })
})
