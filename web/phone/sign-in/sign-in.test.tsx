import { screen } from '@testing-library/react'
import { beforeEach, describe, expect, test } from 'vitest'
import { buildHost, buildPhone, buildRoomUser, call, PASSWORD, type TestHost } from '../../../test/factories.ts'
import { fill, press } from '../../../test/page.tsx'
import { closePhonePage, openPhonePage } from '../../../test/phone-page.tsx'
import { setup } from '../../../test/setup.ts'

const server = await setup()
let host: TestHost
let user: Awaited<ReturnType<typeof buildRoomUser>>
beforeEach(async () => {
  host = await buildHost(server)
  user = await buildRoomUser(server, host)
})

async function fillIn(username = user.username, password = PASSWORD): Promise<void> {
  fill(await screen.findByLabelText('Username'), username)
  fill(screen.getByLabelText('Password'), password)
}
const openAndFill = async (path = `/?host=${host.user_id}`) => {
  const page = await openPhonePage(server, path)
  await fillIn()
  return page
}
const inLobby = () => screen.findByRole('heading', { name: 'Before you join' })

describe('the sign-in screen', () => {
  test('takes the Host ID from the address, and shows whose room it is', async () => {
    const message = 'Every Tuesday at eight, the code is 4711'
    await call(server, 'PUT', '/host/app-info', { as: host, body: { user_title: 'Evening circle', message } })
    await openPhonePage(server, `/?host=${host.user_id.toLowerCase()}`)
    expect(screen.getByLabelText('Host ID')).toHaveProperty('value', host.user_id)
    await screen.findByText('Evening circle')
    expect(screen.queryByText(message)).toBeNull() // it is for the room's users
  })

  test('says that it knows no such room', async () => {
    await openPhonePage(server, '/?host=H999999')
    await screen.findByText(/no room with this Host ID/)
  })

  test('signs in, and is signed in again when the page is loaded again', async () => {
    const page = await openAndFill()
    await press(page.user, 'Sign in')
    await inLobby()
    expect(screen.getByText(user.username)).toBeTruthy()
    closePhonePage()
    await openPhonePage(server)
    await inLobby()
    expect(localStorage.getItem('parley.phone.token')).toBeTruthy()
  })

  test('forgets the sign-in with the tab if the phone is not to be remembered', async () => {
    const page = await openAndFill()
    await page.user.click(screen.getByLabelText('Remember this phone'))
    await press(page.user, 'Sign in')
    await inLobby()
    expect(localStorage.getItem('parley.phone.token')).toBeNull()
    expect(sessionStorage.getItem('parley.phone.token')).toBeTruthy()
  })

  test('names what is missing, and calls nothing', async () => {
    const page = await openPhonePage(server)
    await press(page.user, 'Sign in')
    await screen.findByText('Enter the Host ID.')
    await screen.findByText('Enter your username.')
    await screen.findByText('Enter your password.')
    expect(document.activeElement).toBe(screen.getByLabelText('Host ID'))
    expect(page.calls).not.toContain('POST /mobile/login')
  })

  test('proves that it is the bound phone when it signs in the second time', async () => {
    const page = await openAndFill()
    await press(page.user, 'Sign in')
    await inLobby()
    await press(page.user, 'Sign out')
    await press(page.user, 'Sign in')
    await fillIn()
    await press(page.user, 'Sign in')
    await inLobby()
  })

  test.each([
    ['a wrong password', () => undefined, 'wrong', /capital letters count/],
    ['a room that is stopped', () => act('/host/profile/stop'), PASSWORD, /has stopped this room/],
    [
      'an account that is not active',
      () => act(`/host/users/${user.id}/deactivate`),
      PASSWORD,
      /has switched this account off/,
    ],
  ])('says in plain words what is wrong: %s', async (_what, before, password, words) => {
    await before()
    const page = await openPhonePage(server, `/?host=${host.user_id}`)
    await fillIn(user.username, password)
    await press(page.user, 'Sign in')
    expect((await screen.findByRole('alert')).textContent).toMatch(words)
  })
  const act = (path: string) => call(server, 'POST', path, { as: host })

  test('says that nothing answers', async () => {
    const page = await openAndFill()
    page.refuse(/login/, 0)
    await press(page.user, 'Sign in')
    await screen.findByText(/Check that this phone has internet/)
    await press(page.user, 'Sign in')
    await inLobby()
  })

  test('waits before the next try after too many', async () => {
    const page = await openAndFill()
    const body = { success: false, code: 'too_many', message: 'Too many attempts.' }
    page.refuse(/login/, 429, body, { 'retry-after': '1' })
    await press(page.user, 'Sign in')
    await screen.findByRole('button', { name: /Try again in/ })
    await press(page.user, 'Sign in')
    await inLobby()
  })
})

describe('a phone in place of another one', () => {
  beforeEach(() => buildPhone(server, host, user))
  const askHost = async () => {
    const page = await openAndFill()
    await press(page.user, 'Sign in')
    await press(page.user, 'Ask the host to switch to this phone')
    await screen.findByRole('heading', { name: 'Waiting for your host' })
    return page
  }
  const decide = (decision: 'approve' | 'refuse') =>
    call(server, 'POST', `/host/phone-requests/${user.id}/${decision}`, { as: host })

  test('signs in by itself when the host agrees', async () => {
    await askHost()
    await decide('approve')
    await inLobby()
  })

  test('says that the host has refused', async () => {
    await askHost()
    await decide('refuse')
    await screen.findByRole('heading', { name: 'The host has said no' })
  })
})

describe('a session that was kept', () => {
  test('says why it has ended', async () => {
    const page = await openAndFill()
    await press(page.user, 'Sign in')
    await inLobby()
    closePhonePage()
    await call(server, 'POST', `/host/users/${user.id}/deactivate`, { as: host })
    const { user: visitor } = await openPhonePage(server, `/?host=${host.user_id}`)
    await screen.findByRole('heading', { name: 'Your account was switched off' })
    await press(visitor, 'Sign in again')
    await screen.findByRole('heading', { name: 'Sign in' })
    expect(localStorage.getItem('parley.phone.token')).toBeNull()
  })

  test('is kept while nothing answers', async () => {
    localStorage.setItem('parley.phone.token', 'kept')
    const page = await openPhonePage(server, '/', [/me$/])
    await screen.findByRole('heading', { name: 'No connection' })
    expect(localStorage.getItem('parley.phone.token')).toBe('kept')
    await press(page.user, 'Try again')
    await screen.findByRole('heading', { name: 'You are signed out' })
  })
})

describe('a one-time link', () => {
  const open = () => openPhonePage(server, `/?host=${host.user_id}#link=one-time-token`)

  test('leaves the address at once, and is used by a tap alone', async () => {
    const page = await open()
    expect(window.location.hash).toBe('')
    await screen.findByRole('heading', { name: 'You are invited' })
    expect(page.calls.filter((made) => made.includes('link-login'))).toEqual([])
  })

  test('says that it was used, and leads to the password', async () => {
    const page = await open()
    page.refuse(/link-login/, 400, { success: false, code: 'link_invalid', message: 'Used.' })
    await press(page.user, 'Sign in as the invited person')
    await screen.findByText(/has been used already or has run out/)
    await press(page.user, 'Sign in with a password instead')
    await screen.findByRole('heading', { name: 'Sign in' })
  })

  test('asks for a new one while another phone is linked', async () => {
    const page = await open()
    page.refuse(/link-login/, 403, { success: false, code: 'device_mismatch', message: 'Linked.' })
    await press(page.user, 'Sign in as the invited person')
    await screen.findByText(/switch your phone and to send you a new link/)
    expect(screen.getByRole('button', { name: 'Sign in as the invited person' })).toBeTruthy()
  })
})
