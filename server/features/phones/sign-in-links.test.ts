import { describe, expect, test, vi } from 'vitest'
import {
  buildPhone,
  buildRoomUser,
  call,
  openSession,
  phoneLogin,
  readAudit,
} from '../../../test/factories/accounts.ts'
import {
  actOnUser,
  clock,
  createLink,
  createLinkToken,
  DAY_MS,
  host,
  LINK_INVALID,
  linkTokenIn,
  loginByLink,
  readStoredLinks,
  server,
  setupLinks,
  user,
} from '../../../test/factories/sign-in-links.ts'
import { clearSignInLinks } from '../auth/jobs.ts'

await setupLinks()

describe('a one-time link', () => {
  test('signs a phone in without a password, binds it, and is spent', async () => {
    const { status, headers, body } = await createLink()
    const expires_at = new Date(clock.now + DAY_MS).toISOString()
    expect({ status, expires_at: body.data.expires_at }).toEqual({ status: 200, expires_at })
    expect(headers['cache-control']).toBe('no-store')
    const token = linkTokenIn(body.data.url)
    expect(body.data.url).toBe(`http://phone.localhost:3000/?host=${host.user_id}#link=${token}`)
    expect(Buffer.from(token, 'base64url')).toHaveLength(32)

    const login = await loginByLink(token)
    const { password: _, ...byPassword } = (await phoneLogin(server, host, user, 'new')).body.data
    expect(login.status).toBe(200)
    expect(login.body.data).toEqual({
      ...byPassword,
      token: expect.any(String),
      device_secret: expect.any(String),
    })
    expect(login.body.data.user).toMatchObject({ id: user.id, is_host: false })
    expect(await phoneLogin(server, host, user, 'another')).toMatchObject({ body: { code: 'device_mismatch' } })
    expect(await loginByLink(token)).toMatchObject(LINK_INVALID)
    expect(await readStoredLinks()).toEqual([])
  })

  test('opens a session that works, and ends the one before', async () => {
    const phone = await buildPhone(server, host, user)
    const { body } = await loginByLink(await createLinkToken(), { device_id: phone.device_id })
    expect((await call(server, 'GET', '/mobile/me', { as: body.data })).status).toBe(200)
    expect((await call(server, 'GET', '/mobile/me', { as: phone })).body.reason).toBe('signed_in_elsewhere')
  })

  test('signs in one of many phones that use it at once', async () => {
    const token = await createLinkToken()
    const devices = Array.from({ length: 8 }, (_, n) => ({ device_id: `phone ${n}` }))
    const answers = await Promise.all(devices.map((device, n) => loginByLink(token, device, `127.0.4.${n + 1}`)))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array(7).fill(400)])
    for (const { status, body } of answers) if (status === 400) expect(body.code).toBe('link_invalid')
  })

  test('is replaced by a later one of the same user, and by none of another', async () => {
    const other = await buildRoomUser(server, host)
    const [first, others, second] = [await createLinkToken(), await createLinkToken(other.id), await createLinkToken()]
    expect(new Set([first, others, second]).size).toBe(3)
    expect(await loginByLink(first)).toMatchObject(LINK_INVALID)
    expect((await loginByLink(others)).body.data.user.id).toBe(other.id)
    expect((await loginByLink(second)).body.data.user.id).toBe(user.id)
  })

  test('lasts 24 hours, and is then swept away', async () => {
    const token = await createLinkToken()
    clock.now += DAY_MS - 1
    expect(await clearSignInLinks.run(server.deps)).toBe(0)
    const late = await buildRoomUser(server, { ...host, token: await openSession(server, host.id) })
    clock.now += 1
    expect(await loginByLink(token)).toMatchObject(LINK_INVALID)
    host.token = await openSession(server, host.id)
    const fresh = await createLinkToken(late.id)
    clock.now += 1
    expect(await clearSignInLinks.run(server.deps)).toBe(1)
    expect((await loginByLink(fresh)).status).toBe(200)
  })

  test('is stored as a hash alone', async () => {
    const token = await createLinkToken()
    expect(JSON.stringify(await readStoredLinks())).not.toContain(token)
    expect((await loginByLink(token)).status).toBe(200)
  })

  const makeOnce = () =>
    call(server, 'POST', `/host/users/${user.id}/sign-in-link`, { as: host, headers: { 'idempotency-key': 'one' } })

  test('is made once under an Idempotency-Key, and kept for no repeat', async () => {
    const answers = await Promise.all([makeOnce(), makeOnce(), makeOnce()])
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409])
    const repeat = await makeOnce()
    expect(repeat).toMatchObject({ status: 409, body: { code: 'conflict' } })
    expect(repeat.body.message).toContain('may have succeeded')
    const { entries } = await readAudit(server, host, 'action=sign_in_link_made', '/host/audit')
    expect(entries).toHaveLength(1)
    const kept = await server.deps.db.selectFrom('idempotency_keys').select(['key', 'response_ciphertext']).execute()
    expect(kept).toEqual([{ key: 'one', response_ciphertext: null }])
    const [made] = answers.flatMap(({ status, body }) => (status === 200 ? [body.data.url] : []))
    expect((await loginByLink(linkTokenIn(made))).status).toBe(200)
  })

  test('can be made under a key that was refused before', async () => {
    await actOnUser('deactivate')
    expect((await makeOnce()).body.code).toBe('user_inactive')
    await actOnUser('activate')
    expect((await makeOnce()).status).toBe(200)
  })
})

describe('a phone whose answer was lost', () => {
  const me = (token: string) => call(server, 'GET', '/mobile/me', { as: { token } })
  const owner = (link_token: string) =>
    call(server, 'POST', '/mobile/link-owner', { body: { host_id: host.user_id, link_token } })

  test('may use the link again until it has used its session, and no other phone may', async () => {
    const token = await createLinkToken()
    const lost = (await loginByLink(token)).body.data
    expect(await loginByLink(token, { device_id: 'another' })).toMatchObject(LINK_INVALID)
    expect((await owner(token)).body.data.username).toBe(user.username)
    const second = (await loginByLink(token)).body.data
    expect(second.device_secret).not.toBe(lost.device_secret)
    expect(await me(lost.token)).toMatchObject({ status: 401, body: { reason: 'signed_in_elsewhere' } })
    expect((await loginByLink(token)).status).toBe(200)
    const { body } = await loginByLink(token)
    expect((await me(body.data.token)).status).toBe(200)
    expect(await owner(token)).toMatchObject(LINK_INVALID)
    expect(await loginByLink(token, { device_secret: body.data.device_secret })).toMatchObject(LINK_INVALID)
  })

  test('may do so for a quarter of an hour from the first time, however often', async () => {
    const token = await createLinkToken()
    for (const minutes of [0, 5, 9]) {
      clock.now += minutes * 60_000
      expect((await loginByLink(token)).status).toBe(200)
    }
    clock.now += 60_000
    expect(await loginByLink(token)).toMatchObject(LINK_INVALID)
  })

  test('may do so twenty times in a row, and then ten times a minute', async () => {
    const token = await createLinkToken()
    for (let n = 0; n < 21; n++) expect((await loginByLink(token)).status).toBe(200)
    expect(await loginByLink(token)).toMatchObject({ status: 429, headers: { 'retry-after': '6' } })
    clock.now += 6_000
    expect((await loginByLink(token)).status).toBe(200)
  })

  test('proves itself by its secret if it had one before', async () => {
    const { device_secret } = (await phoneLogin(server, host, user, 'new')).body.data
    const token = await createLinkToken()
    const fields = { device_secret }
    expect((await loginByLink(token, fields)).status).toBe(200)
    expect(await loginByLink(token)).toMatchObject({ body: { code: 'device_mismatch' } })
    expect((await loginByLink(token, fields)).status).toBe(200)
  })

  test.each([
    [
      'for a quarter of an hour',
      async () => {
        clock.now += 15 * 60_000
      },
    ],
    ['unless the host signs it out', () => actOnUser('logout')],
    ['unless the host frees the user from it', () => actOnUser('switch')],
    ['unless the user gets another session', () => phoneLogin(server, host, user, 'new')],
  ])('%s', async (_, event) => {
    const token = await createLinkToken()
    expect((await loginByLink(token)).status).toBe(200)
    await event()
    expect(await loginByLink(token)).toMatchObject(LINK_INVALID)
    expect(await owner(token)).toMatchObject(LINK_INVALID)
  })
})

describe('a phone that is refused for another reason leaves the link valid', () => {
  test('where another one is bound', async () => {
    const old = await buildPhone(server, host, user)
    const token = await createLinkToken()
    for (let n = 0; n < 3; n++)
      expect(await loginByLink(token)).toMatchObject({ status: 403, body: { code: 'device_mismatch' } })
    expect((await call(server, 'GET', '/mobile/me', { as: old })).status).toBe(200)
    expect((await loginByLink(token, { device_id: old.device_id })).status).toBe(200)
  })

  test('where the room is stopped', async () => {
    const token = await createLinkToken()
    await call(server, 'POST', '/host/profile/stop', { as: host })
    expect(await loginByLink(token)).toMatchObject({ status: 403, body: { code: 'room_stopped' } })
    await call(server, 'POST', '/host/profile/activate', { as: host })
    expect((await loginByLink(token)).status).toBe(200)
  })

  test('where the subscription has ended or was cancelled', async () => {
    const token = await createLinkToken()
    const set = (columns: object) =>
      server.deps.db.updateTable('hosts').set(columns).where('id', '=', host.id).execute()
    await set({ subscription_end_date: new Date(clock.now - 1) })
    expect(await loginByLink(token)).toMatchObject({ status: 403, body: { code: 'subscription_inactive' } })
    await set({ subscription_end_date: new Date(clock.now + DAY_MS), subscription_cancelled_at: new Date(clock.now) })
    expect(await loginByLink(token)).toMatchObject({ status: 403, body: { code: 'subscription_cancelled' } })
    await set({ subscription_cancelled_at: null })
    expect((await loginByLink(token)).status).toBe(200)
  })

  test('and may try twenty times in a row', async () => {
    await buildPhone(server, host, user)
    const token = await createLinkToken()
    for (let n = 0; n < 20; n++) expect((await loginByLink(token, {}, `127.0.5.${n + 1}`)).status).toBe(403)
    expect(await loginByLink(token, {}, '127.0.5.99')).toMatchObject({ status: 429, headers: { 'retry-after': '6' } })
  })

  test('and holds up the room no more than that, however many try at once', async () => {
    await buildPhone(server, host, user)
    const token = await createLinkToken()
    const transactions = vi.spyOn(server.deps.db, 'transaction')
    const answers = await Promise.all(Array.from({ length: 60 }, () => loginByLink(token)))
    const count = (wanted: number) => answers.filter(({ status }) => status === wanted).length
    expect([count(403), count(429)]).toEqual([20, 40])
    // One transaction for each attempted sign-in, and one for its row in the audit.
    expect(transactions.mock.calls.length).toBeLessThan(60)
    transactions.mockRestore()
  })
})
