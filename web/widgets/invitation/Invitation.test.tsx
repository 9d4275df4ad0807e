import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import type { RoomUser } from '../../../shared/room-users.ts'
import {
  buildHost,
  buildPhone,
  buildRoomUser,
  call,
  readAudit,
  type TestHost,
} from '../../../test/factories/accounts.ts'
import { planMeeting } from '../../../test/factories/planned-meetings.ts'
import { expectToast, fill, inDialog, openPage, press } from '../../../test/pages/page.tsx'
import { setup } from '../../../test/servers/setup.ts'
import { ownTimeZone } from '../../lib/time-zone.ts'

const server = await setup()
let host: TestHost
let amina: RoomUser
beforeEach(async () => {
  host = await buildHost(server)
  amina = await buildRoomUser(server, host, { username: 'amina' })
})

const open = (search = '') => openPage(server, `/host/users${search}`, { ...host, role: 'host' })
type Opened = ReturnType<typeof open>
/** Invites from the menu of a row. */
async function invite({ user }: Opened, username: string) {
  await press(user, `More actions for ${username}`)
  await user.click(await screen.findByRole('menuitem', { name: 'Invite' }))
  return inDialog(`Invite ${username}`)
}
async function select(user: Opened['user'], name: string) {
  const [box] = await screen.findAllByRole('checkbox', { name }) // its cell has the same name
  if (box) await user.click(box)
}
async function inviteSelected({ user }: Opened, ...usernames: string[]) {
  for (const username of usernames) await select(user, `Select ${username}`)
  const bar = within(await screen.findByRole('region', { name: 'Bulk actions' }))
  await press(user, 'Invite', bar)
}
const link = () => `http://phone.localhost:3000/?host=${host.user_id}`
const message = (username: string) =>
  [
    `${username}, you are invited to “${host.room_name}”.`,
    '',
    `1. Open this link on your phone: ${link()}`,
    `2. Sign in with Host ID ${host.user_id}, username ${username}, and the password that your host gave you.`,
    '3. Tap Join, then Join Audio.',
  ].join('\n')

/** Simulates a browser that can share texts with other apps. */
function stubShare(share: (data: ShareData) => Promise<void>) {
  const shared = vi.fn(share)
  Object.defineProperty(navigator, 'share', { value: shared, configurable: true })
  return shared
}
beforeEach(() => void Reflect.deleteProperty(navigator, 'share'))

describe('an invitation', () => {
  test('names the next meeting, with the zone in which its time is', async () => {
    await planMeeting(server, host, { weekdays: [], first_day: '2099-12-01', time_zone: ownTimeZone() })
    const page = open()
    const dialog = await invite(page, 'amina')
    await dialog.findByText(`Next meeting: Tuesday 1 December 2099, 19:30 (${ownTimeZone()})`)
    await press(page.user, 'Copy the invitation for amina', dialog)
    await expectToast('Invitation copied to clipboard')
    expect(await navigator.clipboard.readText()).toBe(
      message('amina').replace('\n', `\nNext meeting: Tuesday 1 December 2099, 19:30 (${ownTimeZone()})\n`),
    )
  })

  test('shows one user the way into the room, and is copied without the password', async () => {
    const page = open()
    const dialog = await invite(page, 'amina')
    await dialog.findByRole('heading', { name: host.room_name })
    dialog.getByRole('img', { name: `QR code for ${link()}` })
    dialog.getByText(link())
    const [card] = dialog.getAllByRole('listitem')
    expect(card?.textContent).toContain(
      `Sign in with Host ID ${host.user_id}, username amina, and the password that your host gave you.`,
    )
    expect(dialog.queryByRole('button', { name: /^Share/ })).toBeNull() // this browser cannot share
    await press(page.user, 'Copy the invitation for amina', dialog)
    await expectToast('Invitation copied to clipboard')
    expect(await navigator.clipboard.readText()).toBe(message('amina'))
    expect(page.calls.filter((made) => made.startsWith('POST'))).toEqual([])
    await page.user.keyboard('{Escape}')
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  })

  test('is shared through another app, or says that it could not be', async () => {
    const share = stubShare(async () => {})
    const page = open()
    const dialog = await invite(page, 'amina')
    await press(page.user, 'Share the invitation for amina', dialog)
    expect(share).toHaveBeenCalledWith({ title: `Invitation to ${host.room_name}`, text: message('amina') })
    share.mockRejectedValueOnce(new DOMException('dismissed', 'AbortError'))
    await press(page.user, 'Share the invitation for amina', dialog)
    share.mockRejectedValueOnce(new DOMException('not allowed', 'NotAllowedError'))
    await press(page.user, 'Share the invitation for amina', dialog)
    await expectToast('Failed to share. Please copy it instead.')
    vi.spyOn(navigator.clipboard, 'write').mockRejectedValueOnce(new Error('denied'))
    await press(page.user, 'Copy the invitation for amina', dialog)
    await expectToast('Failed to copy. Please select the text and copy it yourself.')
  })

  test('is printed alone, with no buttons', async () => {
    const print = vi.fn(() => {
      window.dispatchEvent(new Event('beforeprint'))
      expect(document.querySelectorAll('[data-paper] li[class*=card]')).toHaveLength(2)
      expect(document.querySelectorAll('[data-paper] :is(button, a)')).toHaveLength(0)
      window.dispatchEvent(new Event('afterprint'))
    })
    vi.stubGlobal('print', print)
    await buildRoomUser(server, host, { username: 'bela' })
    const page = open()
    await inviteSelected(page, 'amina', 'bela')
    const dialog = await inDialog('Invite 2 users')
    await press(page.user, 'Print', dialog)
    expect(print).toHaveBeenCalledTimes(1)
    await waitFor(() => expect(document.querySelector('[data-paper]')).toBeNull())
  })

  test('is made for many at a time, and all are copied together', async () => {
    const bela = await buildRoomUser(server, host, { username: 'bela' })
    await call(server, 'POST', `/host/users/${bela.id}/deactivate`, { as: host })
    const page = open()
    await inviteSelected(page, 'amina', 'bela')
    const dialog = await inDialog('Invite 2 users')
    await dialog.findByText('1 of these users cannot sign in until you activate them.')
    expect(dialog.getAllByRole('img')).toHaveLength(2)
    expect(dialog.queryByRole('button', { name: 'Make a one-time link' })).toBeNull()
    await press(page.user, 'Copy all', dialog)
    await expectToast('Invitations copied to clipboard')
    expect(await navigator.clipboard.readText()).toBe(`${message('amina')}\n\n----------\n\n${message('bela')}`)
  })

  test('is made for 200 users at a time, which is said before, and asks for a selection', async () => {
    for (const batch of ['one', 'two']) {
      const users = Array.from({ length: 100 }, (_, index) => ({
        username: `${batch} ${index}`,
        user_id: `${batch}-${index}`,
        password: 'evening-circle-7',
      }))
      const added = await call(server, 'POST', '/host/users/import', { as: host, body: { users } })
      expect(added).toMatchObject({ status: 200 })
    }
    const page = open()
    await press(page.user, 'Actions')
    await page.user.click(await screen.findByRole('menuitem', { name: 'Invite' }))
    await expectToast('Please select users first')
    await select(page.user, 'Select all users')
    const inviteChosen = async (label: string) =>
      press(page.user, label, within(await screen.findByRole('region', { name: 'Bulk actions' })))
    await inviteChosen('Invite, 200 at a time')
    const all = await inDialog('Invite 201 users')
    await all.findByText('1 to 200 of 201')
    await waitFor(() => expect(all.getAllByRole('img')).toHaveLength(200))
    await press(page.user, 'Next 1', all)
    await all.findByText('201 to 201 of 201')
    await waitFor(() => expect(all.getAllByRole('img')).toHaveLength(1))
    await press(page.user, 'Close', all)
    await press(page.user, 'Clear selection')
    fill(screen.getByLabelText('Filter users'), 'one-')
    await screen.findByText('100 of 201')
    await select(page.user, 'Select all users')
    await inviteChosen('Invite')
    const dialog = await inDialog('Invite 100 users')
    await waitFor(() => expect(dialog.getAllByRole('img')).toHaveLength(100))
  })

  test('says when the Host ID cannot be fetched, and is made once it can', async () => {
    const page = open()
    const stop = page.refuse('GET', /^\/account$/)
    const dialog = await invite(page, 'amina')
    await dialog.findByText('Your Host ID could not be fetched. Check the connection, then try again.')
    stop()
    await press(page.user, 'Try again', dialog)
    await dialog.findByText(link())
  })

  test('is made in the panel of a user too', async () => {
    const { user } = open(`?user=${amina.id}`)
    await press(user, 'More', await inDialog('amina'))
    await user.click(await screen.findByRole('menuitem', { name: 'Invite' }))
    await (await inDialog('Invite amina')).findByText(link())
  })
})

describe('a one-time link', () => {
  const ONCE =
    /^Works once, until .+, \d\d:\d\d\. Anyone who has it can sign in as amina, so send it to that person only\.$/
  const linkLogin = (url: string, device_id = 'new') => {
    const link_token = new URLSearchParams(new URL(url).hash.slice(1)).get('link')
    const device = { device_id, device_secret: null, device_model: 'iPhone 17', platform: 'web' }
    return call(server, 'POST', '/mobile/link-login', { body: { host_id: host.user_id, link_token, ...device } })
  }
  const shown = (dialog: Awaited<ReturnType<typeof inDialog>>) => dialog.getByText(/#link=/).textContent

  test('signs a user in once; another one replaces it, and neither is kept', async () => {
    const share = stubShare(async () => {})
    const page = open()
    const dialog = await invite(page, 'amina')
    await press(page.user, 'Make a one-time link', dialog)
    expect((await dialog.findByText(/^Works once/)).textContent).toMatch(ONCE)
    dialog.getByRole('img', { name: 'QR code of the one-time link for amina' })
    const first = shown(dialog)
    expect(first.startsWith(`${link()}#link=`)).toBe(true)
    await press(page.user, 'Copy the one-time link for amina', dialog)
    await expectToast('One-time link copied to clipboard')
    expect(await navigator.clipboard.readText()).toBe(first)

    await press(page.user, 'Make another one', dialog)
    await waitFor(() => expect(shown(dialog)).not.toBe(first))
    const second = shown(dialog)
    await press(page.user, 'Share the one-time link for amina', dialog)
    expect(share).toHaveBeenCalledWith({ title: 'Sign-in link', text: second })
    expect((await linkLogin(first)).body.code).toBe('link_invalid')
    expect((await linkLogin(second)).status).toBe(200)
    expect((await linkLogin(second, 'another')).body.code).toBe('link_invalid')
    const { entries } = await readAudit(server, host, 'action=sign_in_link_made', '/host/audit')
    expect(entries).toHaveLength(2)

    await press(page.user, 'Close', dialog)
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    const again = await invite(page, 'amina')
    await again.findByRole('button', { name: 'Make a one-time link' })
    expect(again.queryByText(/is open until/)).toBeNull() // it was used
    expect(document.body.innerHTML).not.toContain('#link=')
    expect(JSON.stringify({ ...localStorage, ...sessionStorage })).not.toContain('link=')
  })

  test('that is open already is mentioned', async () => {
    await call(server, 'POST', `/host/users/${amina.id}/sign-in-link`, { as: host })
    const dialog = await invite(open(), 'amina')
    await dialog.findByText(/^A link that was made before is open until .+\. A new one replaces it\.$/)
  })

  test.each([
    [
      'replaced at another console',
      () => call(server, 'POST', `/host/users/${amina.id}/sign-in-link`, { as: host }),
      'A newer link was made for this user, so this one no longer works.',
    ],
    [
      'revoked at another console',
      () => call(server, 'DELETE', `/host/users/${amina.id}/sign-in-link`, { as: host }),
      'This link no longer works: it was used or revoked, or has run out.',
    ],
  ])('that was %s is taken away, and another one can be made', async (_how, end, words) => {
    const page = open()
    const dialog = await invite(page, 'amina')
    const lists = () => page.calls.filter((made) => made.endsWith('/host/sign-in-links')).length
    const pollLists = () => fireEvent(window, new Event('visibilitychange'))
    await press(page.user, 'Make a one-time link', dialog)
    await dialog.findByText(/^Works once/)
    const before = lists()
    await waitFor(() => {
      pollLists()
      expect(lists()).toBeGreaterThan(before + 1) // the second is fetched after the first has arrived
    })
    dialog.getByText(/^Works once/)
    await end()
    await waitFor(() => {
      pollLists()
      dialog.getByText(words)
    })
    expect(dialog.queryByText(/#link=/)).toBeNull()
    await press(page.user, 'Make another one', dialog)
    await dialog.findByText(/^Works once/)
    expect(dialog.queryByText(words)).toBeNull()
  })

  test('that fails says why, and shows no link that may be void', async () => {
    const page = open()
    const dialog = await invite(page, 'amina')
    await press(page.user, 'Make a one-time link', dialog)
    await dialog.findByText(/^Works once/)
    page.loseAnswer('POST', /sign-in-link$/)
    await press(page.user, 'Make another one', dialog)
    await dialog.findByText('Failed to make a one-time link. Please try again. There is no connection to Parley.')
    expect(dialog.queryByText(/#link=/)).toBeNull()
    page.before('POST', /sign-in-link$/, () => call(server, 'POST', `/host/users/${amina.id}/deactivate`, { as: host }))
    await press(page.user, 'Make a one-time link', dialog)
    await dialog.findByText('This user is not active. Please activate the user first.')
  })

  test('is not offered for a deactivated user, and mentions the phone that is bound', async () => {
    const bela = await buildRoomUser(server, host, { username: 'bela' })
    await buildPhone(server, host, bela)
    await call(server, 'POST', `/host/users/${amina.id}/deactivate`, { as: host })
    const page = open()
    await screen.findAllByText('S · Stopped')
    const dialog = await invite(page, 'amina')
    await dialog.findByText('This user is deactivated, and cannot sign in until you activate the user.')
    expect(dialog.getByRole('button', { name: 'Make a one-time link' })).toHaveProperty('disabled', true)
    await press(page.user, 'Close', dialog)
    const other = await invite(page, 'bela')
    await other.findByText(/For a different phone, choose Switch phone first, then make the link\.$/)
  })
})
