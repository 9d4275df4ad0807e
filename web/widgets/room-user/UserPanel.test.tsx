import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import type { RoomUser } from '../../../shared/room-users.ts'
import { buildHost, buildPhone, buildRoomUser, call, type TestHost } from '../../../test/factories/accounts.ts'
import { expectToast, openPage, press } from '../../../test/pages/page.tsx'
import { setup } from '../../../test/servers/setup.ts'

const server = await setup()
let host: TestHost
let amina: RoomUser
beforeEach(async () => {
  host = await buildHost(server)
  amina = await buildRoomUser(server, host, { username: 'amina', user_id: 'U000007', reference: 'Row 3' })
})

const open = (path = `/host/users?user=${amina.id}`) => openPage(server, path, { ...host, role: 'host' })
const panel = async (name = 'amina') => within(await screen.findByRole('dialog', { name }))
const noPanel = () => waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
const act = (action: string) => call(server, 'POST', `/host/users/${amina.id}/${action}`, { as: host })
const search = () => window.location.search

describe('the panel of a user', () => {
  test('opens from the list, keeps its filter, and closes with Escape or Back', async () => {
    await buildRoomUser(server, host, { username: 'bela' })
    const { user } = open('/host/users?show=never-signed-in')
    const link = await screen.findByRole('link', { name: 'amina' })
    await user.click(link)
    await panel()
    expect(search()).toBe(`?show=never-signed-in&user=${amina.id}`)
    await user.keyboard('{Escape}')
    await noPanel()
    expect(search()).toBe('?show=never-signed-in')
    await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('link', { name: 'amina' })))

    await user.click(screen.getByRole('link', { name: 'bela' }))
    await panel('bela')
    window.history.back()
    await noPanel()
    expect(window.location.pathname + search()).toBe('/host/users?show=never-signed-in')
  })

  test('shows the state as it changes, the phone, the visits and what happened', async () => {
    const phone = await buildPhone(server, host, amina)
    await act('mute')
    open(`/host/dashboard?user=${amina.id}`)
    const { findByText, getByText, findAllByText } = await panel()
    await findByText('Muted by the host')
    getByText('U000007')
    getByText('Row 3')
    getByText('Pixel 9, Android')
    getByText('1.4.0')
    await findByText(/^1 visit, /)
    await findByText('Online now')
    await findByText('You muted amina')
    await findByText('You added amina')
    await act('unmute')
    await call(server, 'POST', '/mobile/status', { as: phone, body: { speaker_on: true } })
    await findByText('Listening, speaker on')
    await call(server, 'POST', '/mobile/logout', { as: phone })
    await findAllByText('Not online')
  })

  test('acts on the user, and shows what was done', async () => {
    await buildPhone(server, host, amina)
    const { user, refuse } = open()
    const dialog = await panel()
    refuse('POST', /\/mute$/, { times: 1 })
    dialog.getByRole('button', { name: 'Mute' }).focus()
    await user.keyboard('{Enter}') // a click is ignored right after the button has appeared
    await expectToast('Failed to mute user')
    await user.keyboard('{Enter}')
    await expectToast('amina muted')
    await dialog.findByRole('button', { name: 'Unmute' })
    await dialog.findByText('You muted amina')
    await press(user, 'Copy credentials', dialog)
    await expectToast('Credentials copied to clipboard')
    await press(user, 'More', dialog)
    const items = await screen.findAllByRole('menuitem')
    expect(items.map((item) => item.textContent)).toEqual([
      'Send a word…',
      'Invite',
      'Deactivate',
      'Sign out',
      'Switch phone',
      'Delete',
    ])
    await user.click(screen.getByRole('menuitem', { name: 'Sign out' }))
    await expectToast('amina signed out')
    await dialog.findByText('Not online; muted by the host')

    await press(user, 'Edit', dialog)
    const form = within(await screen.findByRole('dialog', { name: 'Edit User' }))
    await user.type(form.getByLabelText(/Reference/), 'b')
    await user.click(form.getByRole('button', { name: 'Save changes' }))
    await expectToast('User updated successfully')
    await dialog.findByText('Row 3b')
    await press(user, 'More', dialog)
    await user.click(await screen.findByRole('menuitem', { name: 'Delete' }))
    await press(user, 'Delete user')
    await expectToast('amina deleted')
    await screen.findByText('There is no such user')
  })

  test('mutes once by a double click, though the button says Unmute at once', async () => {
    await buildPhone(server, host, amina)
    const { user, calls } = open()
    const dialog = await panel()
    await waitFor(async () => {
      await user.dblClick(dialog.getByRole('button', { name: /ute$/ }))
      expect(calls.filter((made) => made.startsWith('POST'))).toEqual([`POST /host/users/${amina.id}/mute`])
    })
    await expectToast('amina muted')
    await dialog.findByRole('button', { name: 'Unmute' })
  })

  test.each(['{Enter}', ' '])('mutes once where "%s" is pressed twice, and unmutes by a later press', async (key) => {
    await buildPhone(server, host, amina)
    const { user, calls } = open()
    const dialog = await panel()
    const posts = () => calls.filter((made) => made.startsWith('POST')).map((made) => made.split('/').at(-1))
    dialog.getByRole('button', { name: 'Mute' }).focus()
    const pressedAt = 10_000_000 // later than any real press
    const now = vi.spyOn(performance, 'now').mockReturnValue(pressedAt)
    await user.keyboard(key)
    await dialog.findByRole('button', { name: 'Unmute' })
    now.mockReturnValue(pressedAt + 499)
    await user.keyboard(key)
    await expectToast('amina muted')
    expect(posts()).toEqual(['mute'])
    now.mockReturnValue(pressedAt + 500)
    await user.keyboard(key)
    await expectToast('amina unmuted')
    expect(posts()).toEqual(['mute', 'unmute'])
    now.mockRestore()
  })

  test('shows until when a one-time link is open, and revokes it', async () => {
    const { user, refuse, before } = open('/host/users?show=open-link')
    await screen.findByText(/^No user matches these filters: with an open link/)
    const make = () => call(server, 'POST', `/host/users/${amina.id}/sign-in-link`, { as: host })
    await make()
    await user.click(await screen.findByRole('link', { name: 'amina' }))
    const dialog = await panel()
    await dialog.findByText(/^One-time link open until .+, \d\d:\d\d$/)
    refuse('DELETE', /sign-in-link$/, { times: 1 })
    await press(user, 'Revoke link', dialog)
    await expectToast('Failed to revoke the link')
    await press(user, 'Revoke link', dialog)
    await expectToast('The link of amina no longer works.')
    await waitFor(() => expect(dialog.queryByText(/^One-time link/)).toBeNull())
    await dialog.findByText('You revoked the link that signs amina in')

    await make()
    before('DELETE', /sign-in-link$/, () => act('logout')) // another console
    await press(user, 'Revoke link', dialog)
    await expectToast('This user has no open link any more.')
    await waitFor(() => expect(dialog.queryByText(/^One-time link/)).toBeNull())
  })

  test('shows earlier visits and entries on demand', async () => {
    const { room_id } = (await call(server, 'GET', '/host/details', { as: host })).body
    const stays = Array.from({ length: 12 }, (_, index) => ({
      ...{ room_id, room_user_id: amina.id, user_id: amina.user_id, username: 'amina' },
      joined_at: new Date(2026, 0, index + 1, 10),
      left_at: new Date(2026, 0, index + 1, 11),
    }))
    await server.deps.db.insertInto('stays').values(stays).execute()
    for (let round = 0; round < 5; round++) for (const action of ['mute', 'unmute']) await act(action)
    const { user } = open()
    const { findByText, queryByText, findByRole, queryByRole } = await panel()
    await findByText('12 visits, 12h 0m in all')
    await findByText('12 Jan 2026, 10:00')
    expect(queryByText('1 Jan 2026, 10:00')).toBeNull()
    await user.click(await findByRole('button', { name: 'Earlier visits' }))
    await findByText('1 Jan 2026, 10:00')
    expect(queryByRole('button', { name: 'Earlier visits' })).toBeNull()
    expect(queryByText('You added amina')).toBeNull()
    await user.click(await findByRole('button', { name: 'Earlier entries' }))
    await findByText('You added amina')
  })

  test('says that there is no such user, also for one of another host', async () => {
    const other = await buildHost(server)
    const { id } = await buildRoomUser(server, other, { username: 'secret name' })
    open(`/host/users?user=${id}`)
    await screen.findByText('There is no such user')
    expect(screen.queryByText('secret name')).toBeNull()
  })

  test('shows a failure, and can be retried', async () => {
    const { user, refuse } = open()
    const stop = refuse('GET', /^\/host\/users\/[^/]+(\/history)?$/)
    await screen.findByText('Failed to load this user')
    stop()
    await press(user, 'Try again')
    const dialog = await panel()
    await dialog.findByText('This user has not been online yet.')
  })
})
