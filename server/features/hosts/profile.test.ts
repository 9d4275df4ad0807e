import { beforeEach, expect, test } from 'vitest'
import {
  buildHost,
  buildPhone,
  buildRoomUser,
  call,
  phoneLogin,
  type TestHost,
} from '../../../test/factories/accounts.ts'
import { setup } from '../../../test/servers/setup.ts'

let host: TestHost

const server = await setup()
beforeEach(async () => {
  host = await buildHost(server)
})

const act = (action: string) => call(server, 'POST', `/host/profile/${action}`, { as: host })
const setPhonePassword = (password: string) =>
  call(server, 'PUT', '/host/app-info', { as: host, body: { password, user_title: 'Evening Circle' } })
const hostPhone = (device = 'host-phone') =>
  phoneLogin(server, host, { username: host.user_id.toLowerCase() }, device, 'phone-password')

test('stopping the room signs out all phones and refuses logins until it is activated; the console stays signed in', async () => {
  const user = await buildRoomUser(server, host)
  const phone = await buildPhone(server, host, user)
  expect((await act('stop')).body).toMatchObject({ success: true, data: { is_active: false } })
  expect((await call(server, 'GET', '/mobile/me', { as: phone })).status).toBe(401)
  expect((await phoneLogin(server, host, user, phone.device_id)).body.code).toBe('room_stopped')
  expect((await call(server, 'GET', '/host/users', { as: host })).status).toBe(200)

  expect((await act('activate')).body.data.is_active).toBe(true)
  expect((await phoneLogin(server, host, user, phone.device_id)).status).toBe(200)
})

test('the host’s own phone logs in with its user_id and the App Info password, and is in no list', async () => {
  expect((await hostPhone()).status).toBe(400)
  await setPhonePassword('phone-password')
  const login = await hostPhone()
  expect(login.body.data).toMatchObject({
    user: { user_id: host.user_id, is_host: true },
    app: { user_title: 'Evening Circle' },
  })
  await call(server, 'POST', '/mobile/status', { as: login.body.data })
  expect((await call(server, 'GET', '/host/online-users', { as: host })).body.data.users).toEqual([])
  expect((await call(server, 'GET', '/host/profile', { as: host })).body.data).toMatchObject({
    is_online: true,
    device_id: 'host-phone',
    device_model: 'Pixel 9',
    platform: 'android',
  })
  await call(server, 'POST', '/host/trigger-bulk-mute/mute', { as: host })
  const state = await call(server, 'POST', '/mobile/status', { as: login.body.data, body: { speaker_on: true } })
  expect(state.body.data).toMatchObject({ is_muted: false, speaker_on: true, host_mute_all_active: true })
})

test('changing the host’s phone signs it out and allows another; logging out keeps the binding', async () => {
  await setPhonePassword('phone-password')
  const first = (await hostPhone()).body.data
  expect((await act('logout')).status).toBe(200)
  expect((await call(server, 'GET', '/mobile/me', { as: first })).status).toBe(401)
  expect((await hostPhone('another')).body.code).toBe('device_mismatch')
  expect((await act('change-phone')).body.data.device_id).toBeNull()
  expect((await hostPhone('another')).status).toBe(200)
})

test('never returns the App Info password', async () => {
  await setPhonePassword('phone-password')
  const info = await call(server, 'GET', '/host/app-info', { as: host })
  expect(info.body.appInfo).toEqual({
    user_id: host.user_id,
    password: null,
    has_password: true,
    user_title: 'Evening Circle',
    helpline: null,
    message: null,
    allow_recording: true,
    logo_url: null,
    has_public_card: true,
  })
})

test.each([
  'javascript:alert(1)',
  'data:image/png;base64,x',
  'http://example.com/a.png',
  'https://169.254.169.254/x',
  'https://localhost/x',
  'https://u:p@example.com/x',
  'file:///etc/passwd',
])('refuses a logo at %s', async (logo_url) => {
  const refused = await call(server, 'PUT', '/host/app-info', { as: host, body: { logo_url } })
  expect(refused).toMatchObject({ status: 422, body: { errors: [{ path: 'logo_url' }] } })
})
