import { act, fireEvent, screen, waitFor } from '@testing-library/react'
import type { UserEvent } from '@testing-library/user-event'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { fakeSession } from '../../../test/e2e/support/phone-gallery/fake-session.ts'
import {
  buildHost,
  buildPhone,
  buildRoomUser,
  call,
  PASSWORD,
  type TestHost,
} from '../../../test/factories/accounts.ts'
import { fill, press } from '../../../test/pages/page.tsx'
import { closePhonePage, openPhonePage, type PhonePage } from '../../../test/pages/phone-page.tsx'
import { setup } from '../../../test/servers/setup.ts'

let room = fakeSession() // jsdom plays no sound
vi.mock('../room/open-room.ts', () => ({
  openRoom: () => {
    room = fakeSession()
    return room
  },
}))

HTMLDialogElement.prototype.showModal = function (this: HTMLDialogElement) {
  this.open = true
}
HTMLDialogElement.prototype.close = function (this: HTMLDialogElement) {
  this.open = false
}

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
const KEEPS_NOTHING = 'This browser cannot remember this phone'
const fillStorage = () =>
  vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
    throw new DOMException('No space is left', 'QuotaExceededError')
  })
const inLobby = () => screen.findByRole('heading', { name: 'Before you join' })

describe('the sign-in screen', () => {
  test('takes the Host ID from the address, and shows whose room it is', async () => {
    const message = 'Every Tuesday at eight, the code is 4711'
    await call(server, 'PUT', '/host/app-info', { as: host, body: { user_title: 'Evening circle', message } })
    await openPhonePage(server, `/?host=${host.user_id.toLowerCase()}`)
    expect(screen.getByLabelText('Host ID')).toHaveProperty('value', host.user_id)
    await screen.findByText('Evening circle')
    expect(screen.queryByText(message)).toBeNull() // only users of the room see it
  })

  test.each([
    ['is unknown', async () => 'H999999'],
    [
      'is not to be shown',
      async () => {
        await call(server, 'PUT', '/host/app-info', { as: host, body: { has_public_card: false } })
        return host.user_id
      },
    ],
  ])('says that there is no room to show where it %s, and signs in all the same', async (_what, hostId) => {
    const page = await openPhonePage(server, `/?host=${await hostId()}`)
    await screen.findByText(/There is no room to show for this Host ID/)
    fill(screen.getByLabelText('Host ID'), host.user_id)
    await fillIn()
    await press(page.user, 'Sign in')
    await inLobby()
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

  test('does not join by the second tap of a double tap', async () => {
    await openAndFill()
    const place = { clientX: 195, clientY: 700 }
    fireEvent.click(screen.getByRole('button', { name: 'Sign in' }), { ...place, detail: 1 })
    await inLobby()
    const join = () => screen.getByRole('button', { name: 'Join' })
    fireEvent.click(join(), { ...place, detail: 2 })
    await inLobby()
    fireEvent.click(join(), { ...place, clientY: 600, detail: 1 })
    await screen.findByRole('button', { name: 'Leave' })
  })

  test('leads back into the room when the page is loaded again there', async () => {
    const page = await openAndFill()
    await press(page.user, 'Sign in')
    await inLobby()
    await press(page.user, 'Join')
    await screen.findByRole('button', { name: 'Leave' })
    closePhonePage()
    await openPhonePage(server)
    await screen.findByRole('button', { name: 'Leave' })
    expect(screen.queryByRole('heading', { name: 'Before you join' })).toBeNull()
  })

  test('forgets the sign-in with the tab if the phone is not to be remembered', async () => {
    const page = await openAndFill()
    await page.user.click(screen.getByLabelText('Remember this phone'))
    await press(page.user, 'Sign in')
    await inLobby()
    expect(localStorage.getItem('parley.phone.token')).toBeNull()
    expect(sessionStorage.getItem('parley.phone.token')).toBeTruthy()
  })

  test('says before where the browser keeps nothing more, and knows the phone while the page stays', async () => {
    const page = await openAndFill()
    expect(screen.queryByText(KEEPS_NOTHING)).toBeNull()
    const signInAndOut = async () => {
      await press(page.user, 'Sign in')
      await inLobby()
      await press(page.user, 'Sign out')
      await press(page.user, 'Sign in')
    }
    await signInAndOut()
    const second = await buildRoomUser(server, host)
    fillStorage()
    await fillIn()
    await signInAndOut()
    await screen.findByText(KEEPS_NOTHING)
    expect(screen.queryByLabelText('Remember this phone')).toBeNull()
    for (const _time of ['binds the phone', 'proves it']) {
      await fillIn(second.username)
      await signInAndOut()
    }
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
    ['a room that is stopped', () => byHost('/host/profile/stop'), PASSWORD, /has stopped this room/],
    [
      'an account that is not active',
      () => byHost(`/host/users/${user.id}/deactivate`),
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
  const byHost = (path: string) => call(server, 'POST', path, { as: host })

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

  test('says that the request no longer waits when the host has deactivated the user', async () => {
    const page = await askHost()
    await call(server, 'POST', `/host/users/${user.id}/deactivate`, { as: host })
    await screen.findByRole('heading', { name: 'The request no longer waits' })
    expect(screen.getByText(/or has changed your account/)).toBeTruthy()
    await press(page.user, 'Ask the host to switch to this phone')
    await screen.findByText('The host has switched this account off. Please ask your host.')
  })
})

describe('a session that is signed out of', () => {
  const statusOf = async (token: string | null) =>
    (await call(server, 'GET', '/mobile/me', { as: { token: token ?? '' } })).status
  const signIn = async (page: PhonePage) => {
    await press(page.user, 'Sign in')
    await inLobby()
    return localStorage.getItem('parley.phone.token')
  }

  test('in the room or before it ends when the app is opened the next time, if nothing answered then', async () => {
    const page = await openAndFill()
    const first = await signIn(page)
    for (let time = 0; time < 3; time++) page.refuse(/logout/, 0)
    await press(page.user, 'Join')
    await press(page.user, 'Leave')
    await press(page.user, 'Leave and sign out')
    await screen.findByRole('heading', { name: 'You are signed out' })
    await waitFor(() => expect(page.calls).toContain('POST /mobile/logout'))

    await press(page.user, 'Sign in')
    const other = await buildRoomUser(server, host)
    await fillIn(other.username)
    const second = await signIn(page)
    await press(page.user, 'Sign out')
    await screen.findByRole('heading', { name: 'You are signed out' })
    expect([await statusOf(first), await statusOf(second)]).toEqual([200, 200])

    closePhonePage()
    await openPhonePage(server)
    await waitFor(async () => expect([await statusOf(first), await statusOf(second)]).toEqual([401, 401]))
    await waitFor(() => expect(localStorage.getItem('parley.phone.ending')).toBeNull())
  })

  test('ends although an earlier one still gets no answer', async () => {
    const page = await openAndFill()
    const first = await signIn(page)
    page.refuse(/logout/, 0)
    await press(page.user, 'Sign out')
    await screen.findByRole('heading', { name: 'You are signed out' })
    await waitFor(() => expect(page.calls).toContain('POST /mobile/logout'))

    await press(page.user, 'Sign in')
    await fillIn((await buildRoomUser(server, host)).username)
    const second = await signIn(page)
    page.refuse(/logout/, 0)
    await press(page.user, 'Sign out')
    await waitFor(async () => expect(await statusOf(second)).toBe(401))
    await waitFor(() => expect(localStorage.getItem('parley.phone.ending')).toBe(first))
    expect(await statusOf(first)).toBe(200)
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

describe('a session that ends while another tab has kept a newer one', () => {
  const TOKEN = 'parley.phone.token'
  let other: Awaited<ReturnType<typeof buildRoomUser>>
  /** Signs in here, then keeps another person's session as another tab does. */
  async function signInBeside() {
    const page = await openAndFill()
    await press(page.user, 'Sign in')
    await inLobby()
    return { page, before: localStorage.getItem(TOKEN) ?? '', newer: await keepInOtherTab() }
  }
  async function keepInOtherTab(): Promise<string> {
    other = await buildRoomUser(server, host)
    const { token } = await buildPhone(server, host, other)
    localStorage.setItem(TOKEN, token)
    localStorage.setItem('parley.phone.link', 'its link')
    window.dispatchEvent(new StorageEvent('storage', { key: TOKEN }))
    return token
  }
  async function expectOffered({ page, newer }: { page: PhonePage; newer: string }) {
    await screen.findByText(
      `This phone is signed in as \u2068${other.username}\u2069, in the room \u2068${host.room_name}\u2069.`,
    )
    expect(localStorage.getItem(TOKEN)).toBe(newer)
    expect(localStorage.getItem('parley.phone.link')).toBe('its link')
    await press(page.user, 'Go on here')
    await inLobby()
    expect(screen.getByText(other.username)).toBeTruthy()
  }

  test('leaves that one, and offers it, after Sign out', async () => {
    const opened = await signInBeside()
    await press(opened.page.user, 'Sign out')
    await expectOffered(opened)
  })

  test('leaves that one, and offers it, after a stay in the room', async () => {
    const opened = await signInBeside()
    await press(opened.page.user, 'Join')
    await screen.findByRole('button', { name: 'Leave' })
    act(() => room.show({ state: { ended: 'signed_out' } }))
    await expectOffered(opened)
  })

  test('leaves that one, and offers it before the room, where the page was opened with the ended one', async () => {
    const { page: first, before } = await signInBeside()
    localStorage.setItem(TOKEN, before)
    await press(first.user, 'Join')
    await screen.findByRole('button', { name: 'Leave' })
    closePhonePage()
    const page = await openPhonePage(server, '/', [/me$/])
    await screen.findByRole('heading', { name: 'No connection' })
    await call(server, 'POST', '/mobile/logout', { as: { token: before } })
    const newer = await keepInOtherTab()
    await press(page.user, 'Try again')
    await screen.findByRole('heading', { name: 'You are signed out' })
    await expectOffered({ page, newer })
  })

  test('offers one that comes later, and asks to sign in again once that is gone', async () => {
    const page = await openAndFill()
    await press(page.user, 'Sign in')
    await inLobby()
    await press(page.user, 'Sign out')
    await screen.findByText('Please sign in again.')
    await keepInOtherTab()
    await screen.findByRole('button', { name: 'Go on here' })
    expect(screen.queryByText('Please sign in again.')).toBeNull()
    localStorage.removeItem(TOKEN)
    window.dispatchEvent(new StorageEvent('storage', { key: TOKEN }))
    await press(page.user, 'Sign in')
    await screen.findByLabelText('Password')
  })
})

describe('a one-time link', () => {
  const SUBMIT = 'Sign in as the invited person'
  /** The button waits until it is known who is signed in. */
  const submitLink = async (user: UserEvent) => {
    const button = await screen.findByRole('button', { name: SUBMIT })
    await waitFor(() => expect(button.getAttribute('aria-disabled')).not.toBe('true'))
    await user.click(button)
  }
  const hashOf = async (id = user.id, as = host) =>
    new URL((await call(server, 'POST', `/host/users/${id}/sign-in-link`, { as })).body.data.url).hash
  const open = async (hash?: string, as = host) =>
    openPhonePage(server, `/?host=${as.user_id}${hash ?? (await hashOf())}`)
  const reopen = (hash: string, as = host) => {
    closePhonePage()
    return open(hash, as)
  }
  const statusOf = async (token: string | null) =>
    (await call(server, 'GET', '/mobile/me', { as: { token: token ?? '' } })).status
  const kept = () => localStorage.getItem('parley.phone.token')
  /** Signs a phone in, then opens a link of another room. */
  async function openAsOther() {
    const page = await openAndFill()
    await press(page.user, 'Sign in')
    await inLobby()
    const before = kept()
    const other = await buildHost(server, { room_name: 'Another room' })
    const guest = await buildRoomUser(server, other)
    const hash = await hashOf(guest.id, other)
    const openLink = async () => {
      const opened = await reopen(hash, other)
      await screen.findByText(/^This phone is signed in as/) // the buttons appear with it
      return opened
    }
    return { page: await openLink(), before, guest, openLink }
  }

  test('leaves the address at once, says for whom it is, and is used by a tap alone', async () => {
    const page = await open()
    expect(window.location.hash).toBe('')
    await screen.findByRole('heading', { name: 'You are invited' })
    const [name, room] = [user.username, host.room_name].map((text) => `\u2068${text}\u2069`)
    await screen.findByText(`It is for ${name}, in the room ${room}.`)
    expect(page.calls.filter((made) => made.includes('link-login'))).toEqual([])
    expect(screen.queryByText(/This phone is signed in/)).toBeNull()
    await submitLink(page.user)
    await inLobby()
  })

  test('says before where the browser keeps nothing', async () => {
    fillStorage()
    await open()
    await screen.findByText(KEEPS_NOTHING)
  })

  test('says at once that it was used, and leads to the password', async () => {
    const page = await open('#link=one-time-token')
    await screen.findByText(/has been used already or has run out/)
    expect(screen.queryByRole('button', { name: SUBMIT })).toBeNull()
    await press(page.user, 'Sign in with a password instead')
    await screen.findByRole('heading', { name: 'Sign in' })
  })

  test('is used without a name where nobody says whose it is', async () => {
    const hash = await hashOf()
    const page = await openPhonePage(server, `/?host=${host.user_id}${hash}`, [/link-owner/])
    await submitLink(page.user)
    await inLobby()
  })

  test('asks for a new one while another phone is linked', async () => {
    const page = await open()
    page.refuse(/link-login/, 403, { success: false, code: 'device_mismatch', message: 'Linked.' })
    await submitLink(page.user)
    await screen.findByText(/switch your phone and to send you a new link/)
    expect(screen.getByRole('button', { name: SUBMIT })).toBeTruthy()
  })

  test('signs in by the next tap if the answer was lost', async () => {
    const page = await open()
    page.loseAnswer(/link-login/)
    await submitLink(page.user)
    await screen.findByText(/Check that this phone has internet/)
    await submitLink(page.user)
    await inLobby()
    expect(page.calls.filter((made) => made.includes('link-login'))).toHaveLength(2)
    expect(await statusOf(kept())).toBe(200)
  })

  test('signs in where it is opened again after the answer was lost', async () => {
    const hash = await hashOf()
    const page = await open(hash)
    page.loseAnswer(/link-login/)
    await submitLink(page.user)
    await screen.findByText(/Check that this phone has internet/)
    const again = await reopen(hash)
    await screen.findByText(/^It is for/)
    await submitLink(again.user)
    await inLobby()
  })

  test('is used up for another phone when the answer was lost', async () => {
    const hash = await hashOf()
    const page = await open(hash)
    page.loseAnswer(/link-login/)
    await submitLink(page.user)
    await screen.findByText(/Check that this phone has internet/)
    localStorage.clear() // as on another phone
    const other = await reopen(hash)
    await submitLink(other.user)
    await screen.findByText(/has been used already or has run out/)
  })

  test('names who is signed in already, and ends that session once it is used', async () => {
    const { page, before, guest } = await openAsOther()
    const [name, room] = [user.username, host.room_name].map((text) => `\u2068${text}\u2069`)
    await screen.findByText(`This phone is signed in as ${name}, in the room ${room}.`)
    screen.getByText('If you sign in with the link, that sign-in ends.')
    expect(await statusOf(before)).toBe(200)
    await submitLink(page.user)
    await inLobby()
    expect(screen.getByText(guest.username)).toBeTruthy()
    await waitFor(async () => expect(await statusOf(before)).toBe(401))
    expect(await statusOf(kept())).toBe(200)
  })

  test('is not left for a sign-in by password that was on its way', async () => {
    const page = await openAndFill()
    const release = page.holdAnswer(/mobile.login/)
    await press(page.user, 'Sign in')
    await waitFor(() => expect(page.calls).toContain('POST /mobile/login'))
    const guest = await buildRoomUser(server, host)
    window.location.hash = await hashOf(guest.id)
    await screen.findByRole('heading', { name: 'You are invited' })
    await release()
    await submitLink(page.user)
    await inLobby()
    expect(screen.getByText(guest.username)).toBeTruthy()
  })

  test('is not left for a session that is being restored', async () => {
    const first = await openAndFill()
    await press(first.user, 'Sign in')
    await inLobby()
    closePhonePage()
    const page = await openPhonePage(server, '/', [/me$/])
    await screen.findByRole('heading', { name: 'No connection' })
    const release = page.holdAnswer(/me$/)
    await press(page.user, 'Try again')
    await screen.findByText('One moment…')
    window.location.hash = await hashOf()
    await screen.findByRole('heading', { name: 'You are invited' })
    await release()
    await press(page.user, 'Stay signed in as now')
    await inLobby()
  })

  test('that is opened in place of a room leads to the lobby, after a reload too', async () => {
    const page = await openAndFill()
    await press(page.user, 'Sign in')
    await press(page.user, 'Join')
    await screen.findByRole('button', { name: 'Leave' })
    const other = await buildRoomUser(server, host)
    const invited = await reopen(await hashOf(other.id))
    await screen.findByText(/^This phone is signed in as/)
    await submitLink(invited.user)
    await inLobby()
    closePhonePage()
    await openPhonePage(server)
    await inLobby()
  })

  test.each([
    ['is left', () => fireEvent.click(screen.getAllByRole('button', { name: 'Leave' }).at(-1) ?? document.body)],
    ['ends', () => act(() => room.show({ state: { ended: 'deactivated' } }))],
  ])('that is opened during a stay in the room is offered once that %s', async (_how, end) => {
    const page = await openAndFill()
    await press(page.user, 'Sign in')
    await press(page.user, 'Join')
    await press(page.user, 'Leave')
    await screen.findByRole('heading', { name: 'Leave the room?' })
    const other = await buildRoomUser(server, host)
    const hash = await hashOf(other.id)
    const opened = new Promise((resolve) => window.addEventListener('hashchange', resolve, { once: true }))
    window.location.hash = hash
    await opened
    expect(screen.queryByRole('heading', { name: 'You are invited' })).toBeNull()
    end()
    await screen.findByRole('heading', { name: 'You are invited' })
    expect(window.location.hash).toBe('')
    await submitLink(page.user)
    await inLobby()
    expect(screen.getByText(other.username)).toBeTruthy()
  })

  test('leaves the session alone if it is not used', async () => {
    const { page, before } = await openAsOther()
    await press(page.user, 'Stay signed in as now')
    await inLobby()
    expect(screen.getByText(user.username)).toBeTruthy()
    expect(kept()).toBe(before)
    expect(await statusOf(before)).toBe(200)
  })

  test('signs nobody in once the screen is left, and can be used later', async () => {
    const { page, before, guest, openLink } = await openAsOther()
    const release = page.holdAnswer(/link-login/)
    await submitLink(page.user)
    await waitFor(() => expect(page.calls).toContain('POST /mobile/link-login'))
    await press(page.user, 'Stay signed in as now')
    await inLobby()
    await release()
    await press(page.user, 'Join')
    await screen.findByRole('button', { name: 'Leave' })
    expect(kept()).toBe(before)
    expect(await statusOf(before)).toBe(200)

    const again = await openLink()
    await submitLink(again.user)
    await inLobby()
    expect(screen.getByText(guest.username)).toBeTruthy()
  })

  test('ends the session before it when the app is opened the next time, if nothing answered then', async () => {
    const { page, before } = await openAsOther()
    page.refuse(/logout/, 0)
    await submitLink(page.user)
    await inLobby()
    await waitFor(() => expect(page.calls).toContain('POST /mobile/logout'))
    expect(await statusOf(before)).toBe(200)
    closePhonePage()
    await openPhonePage(server)
    await inLobby()
    await waitFor(async () => expect(await statusOf(before)).toBe(401))
    expect(await statusOf(kept())).toBe(200)
  })

  test('that another tab has used meanwhile leads to the session there, by the tap', async () => {
    const hash = await hashOf()
    const page = await open(hash)
    await screen.findByText(/^It is for/)
    const { token } = await buildPhone(server, host, user)
    localStorage.setItem('parley.phone.link', new URLSearchParams(hash.slice(1)).get('link') ?? '')
    localStorage.setItem('parley.phone.token', token)
    await submitLink(page.user)
    await inLobby()
    expect(page.calls.filter((made) => made.includes('link-login'))).toEqual([])
    expect(kept()).toBe(token)
    expect(await statusOf(token)).toBe(200)
  })

  test('names who has signed in meanwhile in another tab', async () => {
    await open()
    await screen.findByText(/^It is for/)
    const guest = await buildRoomUser(server, host)
    localStorage.setItem('parley.phone.token', (await buildPhone(server, host, guest)).token)
    window.dispatchEvent(new StorageEvent('storage', { key: 'parley.phone.token' }))
    await screen.findByText(
      `This phone is signed in as \u2068${guest.username}\u2069, in the room \u2068${host.room_name}\u2069.`,
    )
  })

  test('that this phone has used leads back to its own room, and to no other', async () => {
    const hash = await hashOf()
    const page = await open(hash)
    await submitLink(page.user)
    await inLobby()
    const again = await reopen(hash)
    await inLobby()
    await press(again.user, 'Sign out')
    await reopen(hash)
    await screen.findByText(/has been used already or has run out/)

    closePhonePage()
    const { page: elsewhere } = await openAsOther()
    await submitLink(elsewhere.user)
    await inLobby()
    await reopen(hash)
    await screen.findByText(/has been used already or has run out/)
    await screen.findByRole('button', { name: 'Stay signed in as now' })
  })
})
