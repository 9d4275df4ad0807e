import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import type { RoomUser } from '../../../shared/room-users.ts'
import {
  buildHost,
  buildPhone,
  buildRoomUser,
  call,
  PASSWORD,
  phoneLogin,
  type TestHost,
} from '../../../test/factories/accounts.ts'
import { expectToast, openPage, press } from '../../../test/pages/page.tsx'
import { stubSound } from '../../../test/pages/stub-sound.ts'
import { setup } from '../../../test/servers/setup.ts'
import { toast } from '../../ui/toast.tsx'

const server = await setup()
let host: TestHost
beforeEach(async () => {
  host = await buildHost(server)
})

let chimes: ReturnType<typeof stubSound>
beforeEach(() => {
  chimes = stubSound()
})

/** Adds a user whose new phone requests to replace the registered one. */
async function addWaiting(username: string, device_model = 'iPhone 17') {
  const person = await buildRoomUser(server, host, { username })
  await buildPhone(server, host, person)
  await ask(person, device_model)
  return person
}
async function ask({ username }: RoomUser, device_model = 'iPhone 17') {
  const device = { device_id: `new of ${username}`, device_model, platform: 'web', device_secret: null }
  const body = { host_id: host.user_id, username, password: PASSWORD, ...device }
  const { status } = await call(server, 'POST', '/mobile/phone-requests', { body })
  expect(status).toBe(200)
}
const open = (path: '/host/online' | '/host/users') => openPage(server, path, { ...host, role: 'host' })
const inbox = () => screen.findByRole('dialog').then((dialog) => within(dialog))
const look = () => fireEvent.focus(window)
/** Uses the keyboard, since a click on a button that has just appeared is ignored. */
const decide = async ({ user }: ReturnType<typeof open>, name: string) => {
  ;(await screen.findByRole('button', { name })).focus()
  await user.keyboard('{Enter}')
}

describe.each(['/host/online', '/host/users'] as const)('the inbox of new phones on %s', (path) => {
  test('counts them, and binds the new phone of a user in place of the old one', async () => {
    const amina = await addWaiting('amina')
    await addWaiting('bela', 'Pixel 9')
    const page = open(path)
    await press(page.user, /^New phones ?, 2 phones wait for you$/)
    const { findAllByRole, findByText } = await inbox()
    const [first, second] = (await findAllByRole('listitem')).map(({ textContent }) => textContent)
    expect(first).toMatch(new RegExp(`^aminaiPhone 17 · Web${amina.user_id} · since \\d\\d:\\d\\dRefuseApprove$`))
    expect(second).toMatch(/^bela.*Pixel 9 · Web/)
    await findByText(/The old one is then signed out\.$/)

    await decide(page, 'Approve the new phone of amina')
    await expectToast('The old phone is signed out, and amina can sign in from the new one.')
    await screen.findByRole('button', { name: /^New phones ?, 1 phone waits for you$/ })
    expect((await phoneLogin(server, host, amina, 'new of amina')).status).toBe(200)

    await decide(page, 'Refuse the new phone of bela')
    await expectToast('Refused. bela can still sign in from the old phone.')
    await findByText('No phone is waiting for approval')
    await screen.findByRole('button', { name: 'New phones' })
  })
})

describe('the inbox of new phones', () => {
  test('announces a phone that comes, and chimes where the host has not turned that off', async () => {
    await addWaiting('amina')
    const bela = await buildRoomUser(server, host, { username: 'bela' })
    const chika = await buildRoomUser(server, host, { username: 'chika' })
    for (const person of [bela, chika]) await buildPhone(server, host, person)
    const { user } = open('/host/users')
    await press(user, /^New phones ?, 1 phone waits for you$/)
    await inbox()
    expect(screen.queryByText(/waits for you\.$/)).toBeNull() // it waited before the page was opened
    expect(chimes).not.toHaveBeenCalled()

    await ask(bela)
    look()
    await screen.findByText('A new phone of bela waits for you.')
    await waitFor(() => expect(chimes).toHaveBeenCalledTimes(2)) // two notes
    await ask(bela)
    await user.click(screen.getByRole('switch', { name: 'Sound when a phone waits' }))
    await ask(chika)
    look()
    await screen.findByText('A new phone of chika waits for you.')
    expect(chimes).toHaveBeenCalledTimes(2)
    expect(localStorage.getItem('parley.phone-chime')).toBe('false')
  })

  test('says when a request was answered elsewhere', async () => {
    const amina = await addWaiting('amina')
    const page = open('/host/online')
    await press(page.user, /^New phones ?, 1/)
    page.before('POST', /approve$/, () => call(server, 'POST', `/host/phone-requests/${amina.id}/refuse`, { as: host }))
    await decide(page, 'Approve the new phone of amina')
    await expectToast('The new phone of amina no longer waits: it was answered elsewhere, or too late.')
    await (await inbox()).findByText('No phone is waiting for approval')
    expect((await phoneLogin(server, host, amina, 'new of amina')).status).toBe(403)
  })

  test('says once why a double press was refused', async () => {
    const amina = await addWaiting('amina')
    const shown = vi.spyOn(toast, 'error')
    const page = open('/host/online')
    await press(page.user, /^New phones ?, 1/)
    const approve = await screen.findByRole('button', { name: 'Approve the new phone of amina' })
    page.before('POST', /approve$/, () => call(server, 'POST', `/host/phone-requests/${amina.id}/refuse`, { as: host }))
    fireEvent.click(approve)
    fireEvent.click(approve)
    await (await inbox()).findByText('No phone is waiting for approval')
    await expectToast('The new phone of amina no longer waits: it was answered elsewhere, or too late.')
    expect(shown).toHaveBeenCalledTimes(1)
  })

  test('does not approve a phone that has asked since the list was read', async () => {
    const amina = await addWaiting('amina')
    const page = open('/host/users')
    await press(page.user, /^New phones ?, 1/)
    page.before('POST', /approve$/, () => ask(amina))
    await decide(page, 'Approve the new phone of amina')
    await expectToast('This user has asked again, from another phone maybe. Please look again.')
    expect((await phoneLogin(server, host, amina, 'new of amina')).status).toBe(403)
  })

  test('keeps a request whose answer failed', async () => {
    await addWaiting('amina')
    const page = open('/host/users')
    await press(page.user, /^New phones ?, 1/)
    page.refuse('POST', /approve$/, { times: 1, status: 0 })
    await decide(page, 'Approve the new phone of amina')
    await expectToast(
      'Failed to approve the phone. There is no connection to Parley. It may still happen; this page shows it then.',
    )
    page.refuse('POST', /refuse$/, { times: 1, status: 503, message: 'Please try again in a moment.' })
    await decide(page, 'Refuse the new phone of amina')
    await expectToast('Please try again in a moment.')
    await decide(page, 'Refuse the new phone of amina')
    await expectToast('Refused. amina can still sign in from the old phone.')
  })

  test('ignores a click on a request that has only just moved there', async () => {
    await addWaiting('amina')
    vi.spyOn(performance, 'now').mockReturnValue(0) // no time passes until the click
    const page = open('/host/users')
    await press(page.user, /^New phones ?, 1/)
    await press(page.user, 'Approve the new phone of amina')
    expect(page.calls.filter((made) => made.startsWith('POST'))).toEqual([])
  })

  test('gives the focus to the list when what had it is gone, and back to the button', async () => {
    await addWaiting('amina')
    const page = open('/host/users')
    const button = await screen.findByRole('button', { name: /^New phones ?, 1/ })
    button.focus()
    await page.user.keyboard('{Enter}')
    await decide(page, 'Refuse the new phone of amina')
    await waitFor(() => expect(document.activeElement?.textContent).toBe('New phones'))
    expect(document.activeElement?.tagName).toBe('H2')
    await page.user.keyboard('{Escape}')
    await waitFor(() => expect(document.activeElement).toBe(button))
  })

  test('says that nothing waits, and why the list cannot be shown', async () => {
    await buildRoomUser(server, host, { username: 'amina' })
    const page = open('/host/users')
    const stop = page.refuse('GET', /^\/host\/phone-requests$/)
    const held = Promise.withResolvers<void>()
    page.before('GET', /^\/host\/phone-requests$/, () => held.promise)
    await press(page.user, 'New phones')
    const { findByText, findByRole } = await inbox()
    await findByText('Loading new phones...')
    held.resolve()
    await findByText('The list could not be fetched. Check the connection, then try again.')
    stop()
    await page.user.click(await findByRole('button', { name: 'Try again' }))
    await findByText('No phone is waiting for approval')
  })
})
