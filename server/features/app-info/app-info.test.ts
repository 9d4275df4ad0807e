import { beforeEach, describe, expect, test } from 'vitest'
import {
  buildHost,
  buildPhone,
  buildRoomUser,
  call,
  PASSWORD,
  phoneLogin,
  type TestHost,
} from '../../../test/factories/accounts.ts'
import { setup } from '../../../test/servers/setup.ts'

let host: TestHost

const server = await setup()
beforeEach(async () => {
  host = await buildHost(server)
})

const putAppInfo = (body: object, as: { token: string } | null = host) =>
  call(server, 'PUT', '/host/app-info', { as, body })
const get = (as: { token: string } = host) => call(server, 'GET', '/host/app-info', { as })

test("returns a host's own settings, to the host and to its phones", async () => {
  const other = await buildHost(server)
  const texts = { user_title: 'Evening circle', helpline: '+1 555 0100', message: 'Grüße', allow_recording: false }
  expect((await putAppInfo({ ...texts, logo_url: 'https://cdn.example.com/logo.png' })).body).toMatchObject({
    success: true,
    message: 'App information updated successfully',
  })
  expect((await get()).body.appInfo).toMatchObject({ ...texts, logo_url: 'https://cdn.example.com/logo.png' })
  const phone = await buildPhone(server, host, await buildRoomUser(server, host))
  expect((await call(server, 'GET', '/mobile/me', { as: phone })).body.data.app).toMatchObject(texts)
  expect((await get(other)).body.appInfo).toMatchObject({ user_title: null, allow_recording: true, logo_url: null })
})

describe('an edit that says what was seen', () => {
  const seen = { user_title: 'Choir', helpline: null, message: null, allow_recording: true, has_public_card: true }
  beforeEach(() => putAppInfo({ user_title: 'Choir' }))

  test('is refused, as a whole, if a field that it would change was changed since', async () => {
    await putAppInfo({ user_title: 'Singers' })
    expect(await putAppInfo({ user_title: 'Band', helpline: '+1 555 0100', expect: seen })).toMatchObject({
      status: 409,
      body: {
        code: 'state_changed',
        message: 'Someone else has changed this in the meantime. Nothing was saved.',
      },
    })
    expect((await get()).body.appInfo).toMatchObject({ user_title: 'Singers', helpline: null })
  })

  test('would not undo what was changed since', async () => {
    await putAppInfo({ allow_recording: false })
    const edit = { ...seen, message: 'Tonight at six', expect: seen }
    expect((await putAppInfo(edit)).status).toBe(409)
    expect((await putAppInfo({ message: 'Tonight at six', expect: seen })).status).toBe(200)
    expect((await get()).body.appInfo).toMatchObject({ message: 'Tonight at six', allow_recording: false })
  })

  test('may be repeated, since what it wants holds already', async () => {
    const edit = { ...seen, user_title: 'Band', expect: seen }
    for (let press = 0; press < 2; press++) expect((await putAppInfo(edit)).status).toBe(200)
  })

  test.each([[{ allow_recording: 'yes' }], [{ user_title: 5 }], ['all'], [[]]])('is refused with %j', async (wrong) => {
    expect((await putAppInfo({ user_title: 'Band', expect: wrong })).status).toBe(422)
    expect((await get()).body.appInfo.user_title).toBe('Choir')
  })
})

describe('accepts a logo on a public web server or our own', () => {
  test.each([
    'javascript:alert(1)',
    'data:image/png;base64,AAAA',
    'file:///etc/passwd',
    'http://169.254.169.254/latest/meta-data',
    'https://169.254.169.254/latest',
    'https://127.0.0.1/logo.png',
    'https://[::1]/logo.png',
    'https://localhost/logo.png',
    'https://metadata.google.internal/logo.png',
    'https://printer.local/logo.png',
    'https://wiki.corp/logo.png',
    'https://nas.home.arpa/logo.png',
    'http://cdn.example.com/logo.png',
    '//cdn.example.com/logo.png',
    '/logos/../secret.key',
    '/logos/logo.png',
    `/logos/${'0'.repeat(32)}.png`, // a valid name, but missing
    'logo.png',
  ])('refuses %s', async (logo_url) => {
    const refused = await putAppInfo({ logo_url, user_title: 'kept out' })
    expect(refused).toMatchObject({ status: 422, body: { success: false, errors: [{ path: 'logo_url' }] } })
    expect((await get()).body.appInfo).toMatchObject({ logo_url: null, user_title: null })
  })
})

test.each([
  ['user_title', 'x'.repeat(61)],
  ['helpline', 'x'.repeat(41)],
  ['message', 'x'.repeat(501)],
  ['user_title', 'Evening\u202e circle'],
  ['helpline', '\u202d+44 20 7946'],
  ['message', 'Rehearsal\u202e at six'],
  ['message', 'Rehearsal\u200b at six'],
  ['password', 'short'],
  ['password', 'iloveyou'],
  ['allow_recording', 'yes'],
  ['message', 7],
])('names a wrong %s, %j, and changes nothing', async (path, value) => {
  expect(await putAppInfo({ user_title: 'new', [path]: value })).toMatchObject({
    status: 422,
    body: { errors: [{ path }] },
  })
  expect((await get()).body.appInfo.user_title).toBeNull()
})

test.each([
  'First line\n\nSecond line\r\n\tindented',
  'التدريب في الساعة السادسة\nGate 4 الباب',
  'می\u200cخواهم',
  'क्\u200dष',
  'Family \u{1f468}\u200d\u{1f469}\u200d\u{1f467} \u2764\ufe0f',
])('takes the message %j', async (message) => {
  expect((await putAppInfo({ message })).body.appInfo).toMatchObject({ message })
})

test("a new password signs out the host’s own phone, under the room's lock, before it answers", async () => {
  await putAppInfo({ password: PASSWORD })
  const phone = (await phoneLogin(server, host, { username: host.user_id }, 'its-phone')).body.data
  expect((await call(server, 'POST', '/mobile/status', { as: phone })).status).toBe(200)

  const earlier = Promise.withResolvers<void>()
  const turn = server.deps.rooms.withRoomLock(host.id, () => earlier.promise)
  let isAnswered = false
  const answer = putAppInfo({ password: 'another horse' }).finally(() => {
    isAnswered = true
  })
  const other = await buildHost(server)
  for (let longer = 0; longer < 3; longer++) await putAppInfo({ password: 'another horse' }, other) // not locked
  expect(isAnswered).toBe(false)
  earlier.resolve()
  await turn
  expect((await answer).status).toBe(200)
  expect((await call(server, 'POST', '/mobile/status', { as: phone })).status).toBe(401)
})

test('is for hosts only', async () => {
  const phone = await buildPhone(server, host, await buildRoomUser(server, host))
  expect((await putAppInfo({ user_title: 'x' }, phone)).status).toBe(403)
  expect((await putAppInfo({ user_title: 'x' }, null)).status).toBe(401)
})
