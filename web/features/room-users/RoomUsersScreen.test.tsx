import { onlineManager } from '@tanstack/react-query'
import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, test } from 'vitest'
import { buildHost, buildPhone, buildRoomUser, call, type TestHost } from '../../../test/factories.ts'
import { expectToast, fill, inDialog, openPage, press, savedCsv } from '../../../test/page.tsx'
import { setup } from '../../../test/setup.ts'

const server = await setup()
let host: TestHost
beforeEach(async () => {
  host = await buildHost(server)
})

const openUsers = () => openPage(server, '/host/users', { ...host, role: 'host' })
const addUsers = (...usernames: string[]) =>
  Promise.all(usernames.map((username) => buildRoomUser(server, host, { username, user_id: `id-${username}` })))
const row = async (username: string) =>
  within(await screen.findByRole('row', { name: new RegExp(`Select ${username} `) }))
const status = async (username: string, word: string) => (await row(username)).findAllByText(word)
const noDialog = () => waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
const button = (name: string | RegExp) => screen.findByRole('button', { name })

describe('Add User', () => {
  test('adds the first user of an empty room, and refuses the same username', async () => {
    const { user, refuse } = openUsers()
    await screen.findByText('No users found')
    await press(user, 'Add User')
    const form = await inDialog('Add User')
    const submit = form.getByRole('button', { name: 'Add User' })
    expect(form.getByLabelText(/User ID/)).toHaveProperty('value', 'U000001')
    await user.click(submit)
    await form.findByText('Username is required')
    await form.findByText('Password is required')

    await user.type(form.getByLabelText(/Username/), 'amina')
    await user.click(form.getByRole('button', { name: 'Generate' }))
    expect(form.getByLabelText(/^Password/)).toHaveProperty('value', expect.stringMatching(/^\w{10}$/))
    refuse('POST', /^\/host\/users$/, { times: 1 })
    await user.click(submit)
    await expectToast('Failed to create user')
    await user.click(submit)
    await expectToast('User created successfully')
    await noDialog()
    await row('amina')

    await press(user, 'Add User')
    const again = await inDialog('Add User')
    await user.type(again.getByLabelText(/Username/), 'AMINA')
    await user.type(again.getByLabelText(/^Password/), 'other-one')
    await user.click(again.getByRole('button', { name: 'Add User' }))
    await again.findByText('This username is already in use')
    await user.click(again.getByRole('button', { name: 'Cancel' }))
    await noDialog()
  })

  test.each([
    { open: 'Add User', title: 'Add User', save: 'Add User' },
    { open: 'Edit amina', title: 'Edit User', save: 'Save changes' },
  ])('and Edit User refuse weak passwords and invisible characters: $title', async ({ open, title, save }) => {
    await addUsers('amina')
    const { user, calls } = openUsers()
    await press(user, open)
    const form = await inDialog(title)
    const username = form.getByLabelText(/Username/)
    const password = form.getByLabelText(/^(New )?Password/)
    await user.clear(username)
    await user.type(username, 'bela\u200b')
    await user.type(password, 'abc')
    await user.click(form.getByRole('button', { name: save }))
    await form.findByText(/cannot be seen \(zero width space, U\+200B\)/)
    await form.findByText(/Password must be at least 4 characters/)
    await user.clear(username)
    await user.type(username, 'bela')
    await user.clear(password)
    await user.type(password, 'Bela')
    await user.click(form.getByRole('button', { name: save }))
    await form.findByText(/The password must not be the username/)
    expect(calls.filter((made) => !made.startsWith('GET'))).toEqual([])
  })
})

describe('a row', () => {
  test('is edited, and a failed edit is not sent later', async () => {
    await addUsers('amina')
    const { user, refuse, calls } = openUsers()
    await press(user, 'Edit amina')
    const form = await inDialog('Edit User')
    await user.type(form.getByLabelText(/Reference/), 'Alto')
    onlineManager.setOnline(false)
    refuse('PUT', /^\/host\/users\//, { times: 1, status: 0 })
    await user.click(form.getByRole('button', { name: 'Save changes' }))
    await expectToast('Failed to update user')
    onlineManager.setOnline(true)
    const polls = () => calls.filter((made) => made === 'GET /host/users').length
    const before = polls()
    await waitFor(() => expect(polls()).toBeGreaterThan(before + 1))
    expect((await row('amina')).queryByText('Alto')).toBeNull()
    await user.click(form.getByRole('button', { name: 'Save changes' }))
    await expectToast('User updated successfully')
    await (await row('amina')).findAllByText('Alto')
    expect(calls.filter((made) => made.startsWith('PUT'))).toHaveLength(2)
  })

  test('offers only the actions that apply', async () => {
    await addUsers('amina')
    const { user, refuse } = openUsers()
    const choose = async (item: string) => {
      await press(user, 'More actions for amina')
      await user.click(await screen.findByRole('menuitem', { name: item }))
    }
    await press(user, 'More actions for amina')
    const items = await screen.findAllByRole('menuitem')
    expect(items.map((item) => item.textContent)).toEqual(['Deactivate', 'Mute', 'Delete'])

    refuse('POST', /\/deactivate$/, { times: 1 })
    await user.click(screen.getByRole('menuitem', { name: 'Deactivate' }))
    await expectToast('Failed to deactivate user')
    await choose('Deactivate')
    await status('amina', 'S · Stopped')
    await button(/^Inactive\s*1$/)
    await choose('Activate')
    await status('amina', 'Active')
  })

  test('is switched to another phone after a confirmation', async () => {
    const [bela] = await addUsers('bela')
    if (bela) await buildPhone(server, host, bela)
    const { user, refuse } = openUsers()
    const switchPhone = async () => {
      await press(user, 'More actions for bela')
      await user.click(await screen.findByRole('menuitem', { name: 'Switch phone' }))
      await screen.findByText(/A user may log in from one phone only\./)
      await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Switch phone' }))
    }
    await status('bela', 'Online')
    refuse('POST', /\/switch$/, { times: 1 })
    await switchPhone()
    await expectToast('Failed to clear device binding')
    await noDialog()
    await switchPhone()
    await expectToast('Device binding cleared. User can now login from a new phone.')
    await status('bela', 'C · Phone changed')
  })
})

describe('Bulk actions', () => {
  test('act on the users they apply to, with a report', async () => {
    const [, , dora] = await addUsers('amina', 'chika', 'dora')
    const { user, refuse, before } = openUsers()
    await row('amina')
    const bulk = (name: string) =>
      within(screen.getByRole('region', { name: 'Bulk actions' })).getByRole('button', { name })
    await user.click(bulk('Deactivate'))
    await expectToast('Please select users first')

    for (const name of ['amina', 'chika', 'dora']) {
      const [box] = (await row(name)).getAllByRole('checkbox')
      if (box) await user.click(box)
    }
    await screen.findByText('3 selected')
    expect(bulk('Log out')).toHaveProperty('disabled', true) // none of them is online
    refuse('POST', /\/bulk\/mute$/, { times: 1 })
    await user.click(bulk('Mute'))
    await expectToast('Failed to mute users')
    await user.click(bulk('Mute'))
    await expectToast('3 users muted')
    await user.click(bulk('Unmute'))
    await expectToast('3 users unmuted')

    before('POST', /\/bulk\/deactivate$/, () => call(server, 'POST', `/host/users/${dora?.id}/delete`, { as: host }))
    await user.click(bulk('Deactivate'))
    await expectToast('2 users deactivated, 1 failed: User not found')
    await button(/^Inactive\s*2$/)
    await screen.findByText('2 selected')

    await user.click(bulk('Delete'))
    await screen.findByText('They are deleted for good, and signed out of their phones at once.')
    await press(user, 'Cancel')
    await noDialog()
    await user.click(bulk('Delete'))
    await press(user, 'Delete users')
    await expectToast('2 users deleted')
    await screen.findByText('No users found')
  })
})

describe('the list', () => {
  test('filters by number and text, and exports the users shown', async () => {
    const [, bela] = await addUsers('amina', 'bela', 'chika', 'dora')
    if (bela) await buildPhone(server, host, bela)
    const { user } = openUsers()
    await press(user, /^Online\s*1$/)
    await screen.findByText('1 of 4')
    await row('bela')
    expect(screen.getAllByRole('row')).toHaveLength(2) // with the header
    await user.type(screen.getByLabelText('Filter users'), 'amina')
    await screen.findByText('No one online has “amina” in username, user ID or reference.')
    await press(user, /^Total\s*4$/)
    await status('amina', 'Active')
    fill(screen.getByLabelText('Filter users'), 'ID-DORA')
    await waitFor(() => expect(screen.getAllByRole('row')).toHaveLength(2))
    await press(user, 'Export')
    const { name, lines } = await savedCsv()
    expect(name).toBe('users.csv')
    expect(lines).toEqual([expect.stringMatching(/^user_id,/), expect.stringMatching(/^id-dora,dora,/)])
  })

  test('shows a failure to load, and can be retried', async () => {
    await addUsers('bela')
    const page = openUsers()
    const stop = page.refuse('GET', /^\/host\/users$/)
    const words = await screen.findByText('Failed to load users')
    const before = page.calls.length
    await waitFor(() => expect(page.calls.length).toBeGreaterThan(before + 2))
    expect(screen.getByText('Failed to load users')).toBe(words) // without flickering
    stop()
    await row('bela')
  })
})
