import { beforeEach, describe, expect, test } from 'vitest'
import {
  buildHost,
  buildPhone,
  buildRoomUser,
  call,
  readAudit,
  type TestHost,
} from '../../../test/factories/accounts.ts'
import { setup } from '../../../test/servers/setup.ts'
import { TokenBuckets } from '../../lib/token-bucket.ts'
import { LISTED_NAMES, LISTED_USERS_LIMIT } from './listed-users.ts'

let now = Date.parse('2026-11-21T10:00:00Z')
let host: TestHost

const server = await setup({ now: () => now })
beforeEach(async () => {
  now += 24 * 3_600_000
  server.deps.listedUsers = new TokenBuckets(server.deps, LISTED_USERS_LIMIT)
  host = await buildHost(server)
})

const act = (path: string, body?: object) => call(server, 'POST', path, { as: host, ...(body && { body }) })
const bulk = (action: string, users: { id: string }[]) =>
  act(`/host/users/bulk/${action}`, { userIds: users.map(({ id }) => id) })
async function newest() {
  const { entries } = await readAudit(server, host, 'limit=1', '/host/audit')
  return entries[0] && { action: entries[0].action, before: entries[0].before, after: entries[0].after }
}
const buildUsers = (count: number) => Promise.all(Array.from({ length: count }, () => buildRoomUser(server, host)))

describe('the audit of a bulk act', () => {
  test.each(['mute', 'unmute', 'activate', 'deactivate', 'switch', 'logout', 'lower-hand'])(
    'lists those whom %s changed, and nobody when it is repeated',
    async (action) => {
      const user = await buildRoomUser(server, host)
      const phone = await buildPhone(server, host, user)
      const other = await buildPhone(server, host, await buildRoomUser(server, host))
      await call(server, 'POST', '/mobile/status', { as: phone, body: { speaker_on: true, wants_to_speak: true } })
      if (action === 'unmute') await act(`/host/users/${user.id}/mute`)
      if (action === 'activate') await act(`/host/users/${user.id}/deactivate`)
      if (action !== 'unmute' && action !== 'activate') await act(`/host/users/${other.id}/${action}`)

      await bulk(action, [phone, other])
      const first = await newest()
      expect(first).toMatchObject({ action: `user_${action}`, after: { users_unchanged: 1 } })
      expect(first?.before?.users).toMatchObject([{ id: user.id }])
      await bulk(action, [phone, other])
      expect(await newest()).toMatchObject({ before: { users: [] }, after: { users_unchanged: 2 } })
    },
  )

  test('lists whom signing out took nothing but a link', async () => {
    const [invited, other] = await buildUsers(2)
    if (!invited || !other) throw new Error('No users')
    await act(`/host/users/${invited.id}/sign-in-link`)
    await bulk('logout', [invited, other])
    expect(await newest()).toMatchObject({ before: { users: [{ id: invited.id }] }, after: { users_unchanged: 1 } })
  })

  describe('after as many users as are listed', () => {
    beforeEach(() => {
      server.deps.listedUsers = new TokenBuckets(server.deps, { ...LISTED_USERS_LIMIT, burst: 3, perSecond: 1 / 1_000 })
    })

    test('says how many changed, until more may be listed', async () => {
      const users = await buildUsers(3)
      await bulk('mute', users)
      await bulk('unmute', users)
      expect(await newest()).toEqual({
        action: 'user_unmute',
        before: null,
        after: { is_muted: false, users_changed: 3 },
      })
      await bulk('delete', users.slice(1))
      expect(await newest()).toEqual({ action: 'user_delete', before: null, after: { users_changed: 2 } })

      const other = await buildHost(server)
      const another = [await buildRoomUser(server, other), await buildRoomUser(server, other)].map(({ id }) => id)
      await call(server, 'POST', '/host/users/bulk/mute', { as: other, body: { userIds: another } })
      const [listed] = (await readAudit(server, other, 'limit=1', '/host/audit')).entries
      expect(listed?.before?.users).toHaveLength(2)

      now += 3_600_000
      await bulk('mute', users.slice(0, 1).concat(await buildUsers(1)))
      expect((await newest())?.before?.users).toHaveLength(2)
    })

    test('says how many were imported, and which fields of one user were written', async () => {
      server.deps.listedNames = new TokenBuckets(server.deps, { ...LISTED_NAMES, burst: 1 })
      const person = (username: string) => ({ username, user_id: `id-${username}`, password: 'lantern-1' })
      const importUsers = (...names: string[]) => act('/host/users/import', { users: names.map(person) })
      const [first] = (await importUsers('Ana', 'Bea')).body.data.added
      expect((await newest())?.after?.users).toHaveLength(2)
      await importUsers('Chi', 'Dev')
      expect(await newest()).toEqual({ action: 'user_created', before: null, after: { users_changed: 2 } })

      await act('/host/users', person('Eli'))
      expect((await newest())?.after).toMatchObject({ username: 'Eli', user_id: 'id-Eli' })
      const hidden = { username: '[not listed]', user_id: '[not listed]' }
      const added = await act('/host/users', person('Fay'))
      expect(await newest()).toEqual({ action: 'user_created', before: null, after: hidden })
      await importUsers('Gil')
      expect(await newest()).toEqual({ action: 'user_created', before: null, after: hidden })
      await call(server, 'PUT', `/host/users/${first.id}`, {
        as: host,
        body: { username: 'Anna', user_id: first.user_id },
      })
      expect(await newest()).toEqual({ action: 'user_edited', before: null, after: { username: '[not listed]' } })
      await act(`/host/users/${added.body.data.user.id}/delete`)
      expect(await newest()).toEqual({ action: 'user_delete', before: null, after: {} })
    })

    test('counts whom Mute All leaves out, and whom its undo opens again', async () => {
      const users = await buildUsers(2)
      const except = users.map(({ id }) => id)
      const muteAll = () => act('/host/trigger-bulk-mute/mute', { except })
      await muteAll()
      expect((await newest())?.after).toMatchObject({ except: expect.arrayContaining(except) })
      await muteAll()
      expect((await newest())?.after).toMatchObject({ users_excepted: 2 })
      expect((await newest())?.after).not.toHaveProperty('except')
      const { undo } = (await act('/host/trigger-bulk-mute/mute')).body.data
      await act('/host/undo-mute-all', undo)
      expect(await newest()).toEqual({
        action: 'user_unmute',
        before: null,
        after: { is_muted: false, users_changed: 2 },
      })
    })
  })
})
