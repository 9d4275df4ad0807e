import { cleanup, screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { buildHost, buildMaster, buildPhone, buildRoomUser, call } from '../../test/factories/accounts.ts'
import { openPage, press } from '../../test/pages/page.tsx'
import { setup } from '../../test/servers/setup.ts'

const server = await setup()
const ATTACK = '"><img src=x onerror=alert(1)>'
const USERNAME = `${ATTACK}!`
const expectNoPicture = () => expect(document.querySelector('img[src="x"]')).toBeNull()

test('texts of masters, hosts and phones are shown as the texts that they are, on every screen of a host', async () => {
  const host = await buildHost(server, { room_name: ATTACK })
  const texts = { user_title: ATTACK, helpline: ATTACK, message: ATTACK }
  expect(await call(server, 'PUT', '/host/app-info', { as: host, body: texts })).toMatchObject({ status: 200 })
  const person = await buildRoomUser(server, host, {
    username: USERNAME,
    user_id: `U1${ATTACK}`.slice(0, 32),
    reference: ATTACK,
  })
  const phone = await buildPhone(server, host, person)
  await call(server, 'POST', '/mobile/status', { as: phone, body: { speaker_on: true, is_speaking: true } })

  for (const [path, text] of Object.entries({
    '/host/dashboard': ATTACK,
    '/host/users': USERNAME,
    '/host/online': USERNAME,
    '/host/rooms': ATTACK,
    '/host/host-master': ATTACK,
    '/host/attendance': USERNAME,
    '/host/recordings': 'No recordings found for your room.',
  })) {
    openPage(server, path, { ...host, role: 'host' })
    await screen.findAllByText(text)
    expectNoPicture()
    cleanup()
  }
  openPage(server, '/host/app-info', { ...host, role: 'host' })
  expect(await screen.findByRole('textbox', { name: 'Message' })).toHaveProperty('value', ATTACK)
  expectNoPicture()
})

test('texts of a host are shown to a master as the texts that they are', async () => {
  const { username } = await buildHost(server, { room_name: ATTACK, mobile: ATTACK.slice(0, 20) })
  const { user } = openPage(server, '/master/hosts', { ...(await buildMaster(server)), role: 'master' })
  await press(user, `View ${username}`)
  within(await screen.findByRole('dialog', { name: 'Host Details' })).getByText(ATTACK)
  expectNoPicture()
})

test.each([
  ['/oauth-error?error=x&error_description=', 'Zoom Integration Failed'],
  ['/oauth-success?oauth_result=x&user_email=', 'Zoom Integration Successful!'],
])('texts of an address are not run: %s', async (address, heading) => {
  openPage(server, address + encodeURIComponent(ATTACK))
  await screen.findByRole('heading', { name: heading })
  expectNoPicture()
})
