import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import {
  buildHost,
  buildPhone,
  buildRoomUser,
  call,
  openSession,
  PASSWORD,
  readAudit,
} from '../../../test/factories/accounts.ts'
import {
  actOnUser,
  clock,
  createLinkToken,
  DAY_MS,
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

describe('the open links of a room', () => {
  test('are listed by user until they are used, run out or are void, and in no other room', async () => {
    const [bela, cyra, dora] = [
      await buildRoomUser(server, host),
      await buildRoomUser(server, host),
      await buildRoomUser(server, host),
    ]
    const links = new Map<string, string>()
    for (const { id } of [bela, cyra, dora, user]) {
      links.set(id, await createLinkToken(id))
      clock.now += 1
    }
    await createLinkToken(cyra.id)
    const until = (ms: number) => new Date(clock.now + DAY_MS - ms).toISOString()
    expect(await listOpenLinks()).toEqual([
      { id: bela.id, expires_at: until(4) },
      { id: dora.id, expires_at: until(2) },
      { id: user.id, expires_at: until(1) },
      { id: cyra.id, expires_at: until(0) },
    ])
    expect(await listOpenLinks(await buildHost(server))).toEqual([])
    await loginByLink(links.get(bela.id), { device_id: 'one' })
    await actOnUser('logout', dora.id)
    expect(await listOpenLinks()).toMatchObject([{ id: user.id }, { id: cyra.id }])
    clock.now += DAY_MS - 1
    host.token = await openSession(server, host.id)
    expect(await listOpenLinks()).toMatchObject([{ id: cyra.id }])
  })

  test('can be revoked, each once, by the own host alone', async () => {
    const token = await createLinkToken()
    const none = { status: 404, body: { code: 'not_found', message: 'This user has no open link any more.' } }
    expect(await revokeLink(user.id, await buildHost(server))).toMatchObject(none)
    expect(await listOpenLinks()).toHaveLength(1)
    const both = await Promise.all([revokeLink(), revokeLink()])
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 404])
    expect(await listOpenLinks()).toEqual([])
    expect(await loginByLink(token)).toMatchObject(LINK_INVALID)
    for (const id of [user.id, randomUUID(), 'U000001']) expect(await revokeLink(id)).toMatchObject(none)
    const { entries } = await readAudit(server, host, 'action=sign_in_link_revoked', '/host/audit')
    expect(entries).toMatchObject([{ target: { id: user.id }, before: { expires_at: expect.any(String) } }])
  })

  test('are not revoked once they have run out, or were used', async () => {
    await loginByLink(await createLinkToken())
    expect((await revokeLink()).status).toBe(404)
    await createLinkToken()
    clock.now += DAY_MS
    host.token = await openSession(server, host.id)
    expect((await revokeLink()).status).toBe(404)
  })
})

describe('POST /mobile/link-login', () => {
  test.each<[string, unknown, object]>([
    ['no link', undefined, {}],
    ['an empty link', '', {}],
    ['a link that is a number', 7, {}],
    ['a link that is a list', ['x'], {}],
    ['a link that is too long', 'x'.repeat(129), {}],
    ['no host', 'x', { host_id: undefined }],
    ['no phone', 'x', { device_id: undefined }],
    ['an unknown platform', 'x', { platform: 'fridge' }],
  ])('refuses %s', async (_, link, fields) => {
    expect((await loginByLink(link, fields)).status).toBe(422)
  })

  test('and what says whose a link is count wrong links together, and that uses none up', async () => {
    const token = await createLinkToken()
    const ownerOf = (link_token: string, from?: string, host_id = host.user_id) =>
      call(server, 'POST', '/mobile/link-owner', { body: { host_id, link_token }, ...(from && { from }) })
    for (let n = 0; n < 2; n++)
      expect((await ownerOf(token)).body.data).toEqual({ username: user.username, room_name: host.room_name })
    const stranger = await buildHost(server)
    expect(await ownerOf(token, undefined, stranger.user_id)).toMatchObject(LINK_INVALID)
    for (let n = 0; n < 10; n++) {
      expect(await ownerOf(`guess ${n}`, '127.0.7.1')).toMatchObject(LINK_INVALID)
      expect(await loginByLink(`guess ${n}`, {}, '127.0.7.1')).toMatchObject(LINK_INVALID)
    }
    expect(await ownerOf('one more', '127.0.7.1')).toMatchObject({ status: 429, body: { code: 'too_many' } })
    expect((await ownerOf(token, '127.0.7.1')).status).toBe(200)
    const { body } = await loginByLink(token)
    expect((await call(server, 'GET', '/mobile/me', { as: body.data })).status).toBe(200)
    expect(await ownerOf(token)).toMatchObject(LINK_INVALID)
  })

  test('says whose a link is to one address sixty times at once', async () => {
    const token = await createLinkToken()
    const body = { host_id: host.user_id, link_token: token }
    const look = () => call(server, 'POST', '/mobile/link-owner', { body, from: '127.0.7.3' })
    const statuses = (await Promise.all(Array.from({ length: 61 }, look))).map(({ status }) => status)
    expect(statuses.toSorted()).toEqual([...Array(60).fill(200), 429])
    const wrong = { host_id: host.user_id, link_token: 'a guess' }
    for (let n = 0; n < 61; n++) await call(server, 'POST', '/mobile/link-owner', { body: wrong, from: '127.0.7.4' })
    const beside = await call(server, 'POST', '/mobile/link-owner', { body, from: '127.0.7.4' })
    expect(beside.status).toBe(200)
  })

  test("does not accept a user's password, a session's token or the stored hash as a link", async () => {
    await createLinkToken()
    const [link] = await readStoredLinks()
    for (const token of [PASSWORD, host.token.slice(0, 128), link?.token_hash, 'ä'])
      expect(await loginByLink(token)).toMatchObject(LINK_INVALID)
    expect(await readStoredLinks()).toHaveLength(1)
  })

  test('slows down an address that tries links, but not who has one', async () => {
    const token = await createLinkToken()
    for (let n = 0; n < 20; n++) expect(await loginByLink(`guess ${n}`, {}, '127.0.6.1')).toMatchObject(LINK_INVALID)
    const refused = await loginByLink('one more guess', {}, '127.0.6.1')
    expect(refused).toMatchObject({ status: 429, body: { code: 'too_many' } })
    expect(refused.headers['retry-after']).toBeDefined()
    expect((await loginByLink(token, {}, '127.0.6.1')).status).toBe(200)
  })
})

test('links that were made and used are in the log, without the token', async () => {
  await buildPhone(server, host, user)
  const refusedToken = await createLinkToken()
  await loginByLink(refusedToken)
  await actOnUser('switch')
  const token = await createLinkToken()
  await loginByLink(token)
  await loginByLink(token, { device_id: 'another' })
  const { entries } = await readAudit(server, host, '', '/host/audit')
  const [failed, login, , , refused, made] = entries
  expect(failed).toMatchObject({ action: 'phone_login_failed', target: null, after: { link: true } })
  expect(login).toMatchObject({ action: 'phone_login', target: { id: user.id }, after: { link: true } })
  expect(refused).toMatchObject({ action: 'phone_login_refused', after: { code: 'device_mismatch', link: true } })
  expect(made).toMatchObject({ action: 'sign_in_link_made', actor: { role: 'host' }, target: { id: user.id } })
  for (const secret of [token, refusedToken]) expect(JSON.stringify(entries)).not.toContain(secret)
})
