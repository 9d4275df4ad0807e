import { onlineManager } from '@tanstack/react-query'
import { screen, waitFor, within } from '@testing-library/react'
import type { UserEvent } from '@testing-library/user-event'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import type { RoomUser } from '../../../shared/room-users.ts'
import {
  buildHost,
  buildPhone,
  buildRoomUser,
  call,
  PASSWORD,
  readAudit,
  type TestHost,
} from '../../../test/factories/accounts.ts'
import { expectToast, fill, inDialog, openPage, press, savedCount, savedCsv } from '../../../test/pages/page.tsx'
import { setup } from '../../../test/servers/setup.ts'

const server = await setup()
let host: TestHost
beforeEach(async () => {
  host = await buildHost(server)
})

const openUsers = (search = '') => openPage(server, `/host/users${search}`, { ...host, role: 'host' })
/** Adds them sequentially, since the list keeps the order in which they were added. */
async function addUsers(...usernames: string[]) {
  const users: RoomUser[] = []
  for (const username of usernames)
    users.push(await buildRoomUser(server, host, { username, user_id: `id-${username}` }))
  return users
}
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
    await press(user, 'Discard', await inDialog('Discard your changes?'))
    await noDialog()
  })

  test('adds a user once whose first answer was lost, and says so', async () => {
    const { user, loseAnswer } = openUsers()
    await press(user, 'Add User')
    const form = await inDialog('Add User')
    await user.type(form.getByLabelText(/Username/), 'amina')
    await user.type(form.getByLabelText(/^Password/), 'evening-7')
    loseAnswer('POST', /^\/host\/users$/)
    await press(user, 'Add User', form)
    await expectToast('Failed to create user. There is no connection to Parley.')
    await press(user, 'Add User', form)
    await expectToast('User created successfully')
    await noDialog()
    await row('amina')
  })

  test('offers another User ID where the offered one was taken meanwhile, and keeps one that was typed', async () => {
    const { user, before } = openUsers()
    await press(user, 'Add User')
    const form = await inDialog('Add User')
    const userId = form.getByLabelText(/User ID/)
    fill(form.getByLabelText(/Username/), 'amina')
    fill(form.getByLabelText(/^Password/), 'evening-7')
    before('POST', /^\/host\/users$/, () => buildRoomUser(server, host, { username: 'bela', user_id: 'U000001' }))
    await press(user, 'Add User', form)
    await expectToast('This User ID is already in use')
    await form.findByText('U000001 has been taken in the meantime. U000002 is free.')
    expect(userId).toHaveProperty('value', 'U000002')
    expect(form.queryByText('This User ID is already in use')).toBeNull()

    fill(userId, 'U000001')
    await press(user, 'Add User', form)
    await form.findByText('This User ID is already in use')
    expect(userId).toHaveProperty('value', 'U000001')
    fill(userId, 'U000002')
    await press(user, 'Add User', form)
    await expectToast('User created successfully')
    await row('amina')
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
    await expectToast('Failed to update user. There is no connection to Parley.')
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

  test('saves a user once whose first answer was lost, and blames no other console', async () => {
    await addUsers('amina')
    const { user, loseAnswer } = openUsers()
    await press(user, 'Edit amina')
    const form = await inDialog('Edit User')
    await user.type(form.getByLabelText(/Reference/), 'Alto')
    loseAnswer('PUT', /^\/host\/users\//)
    await user.click(form.getByRole('button', { name: 'Save changes' }))
    await expectToast('Failed to update user. There is no connection to Parley.')
    await user.click(form.getByRole('button', { name: 'Save changes' }))
    await expectToast('User updated successfully')
  })

  test('keeps a name from before the rules for names, unless it is changed', async () => {
    const [amina] = await addUsers('amina')
    const old = { username: 'am\u200dina' }
    await server.deps.db
      .updateTable('room_users')
      .set(old)
      .where('id', '=', amina?.id ?? '')
      .execute()
    const body = { ...old, user_id: amina?.user_id, reference: 'Alto' }
    await call(server, 'PUT', `/host/users/${amina?.id}`, { as: host, body })
    const { user } = openUsers()
    await press(user, `Edit ${old.username}`)
    const form = await inDialog('Edit User')
    await user.type(form.getByLabelText(/Reference/), ' 2')
    await user.type(form.getByLabelText(/Username/), 'x')
    await user.click(form.getByRole('button', { name: 'Save changes' }))
    await form.findByText(/cannot be seen \(zero width joiner, U\+200D\)/)
    await user.type(form.getByLabelText(/Username/), '{Backspace}')
    await user.click(form.getByRole('button', { name: 'Save changes' }))
    await expectToast('User updated successfully')
    await (await row(old.username)).findAllByText('Alto 2')
  })

  test('is not edited over the change of another console, until that was shown', async () => {
    const [amina] = await addUsers('amina')
    const { user } = openUsers()
    await press(user, 'Edit amina')
    const form = await inDialog('Edit User')
    await user.type(form.getByLabelText(/Reference/), 'Alto')
    const others = { username: 'amina', user_id: amina?.user_id, reference: 'Bass' }
    await call(server, 'PUT', `/host/users/${amina?.id}`, { as: host, body: others })
    await user.click(form.getByRole('button', { name: 'Save changes' }))
    await form.findByText('Changed by another console in the meantime')
    await waitFor(() => form.getByText('Bass'))
    await (await row('amina')).findAllByText('Bass')
    await user.click(form.getByRole('button', { name: 'Save changes' }))
    await expectToast('User updated successfully')
    await (await row('amina')).findAllByText('Alto')
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
    expect(items.map((item) => item.textContent)).toEqual([
      'Edit',
      'Copy credentials',
      'Invite',
      'Mute',
      'Deactivate',
      'Delete',
    ])

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
      await screen.findByText(/A user may sign in from one phone only\./)
      await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Switch phone' }))
    }
    await status('bela', 'Online')
    refuse('POST', /\/switch$/, { times: 1 })
    await switchPhone()
    await expectToast('Failed to clear device binding')
    await noDialog()
    await switchPhone()
    await expectToast('Device binding cleared. User can now login from a new phone.')
    await status('bela', 'C · Changed')
  })
})

describe('Bulk actions', () => {
  test('act on the users they apply to, with a report', async () => {
    const [, , dora] = await addUsers('amina', 'chika', 'dora')
    const { user, refuse, before } = openUsers()
    await row('amina')
    expect(screen.queryByRole('region', { name: 'Bulk actions' })).toBeNull()
    await press(user, 'Actions')
    await user.click(await screen.findByRole('menuitem', { name: 'Deactivate' }))
    await expectToast('Please select users first')

    const bar = () => within(screen.getByRole('region', { name: 'Bulk actions' }))
    const bulk = (name: string) => bar().getByRole('button', { name })
    for (const name of ['amina', 'chika', 'dora']) {
      const [box] = (await row(name)).getAllByRole('checkbox')
      if (box) await user.click(box)
    }
    await screen.findByText('3 selected')
    expect(bulk('Sign out')).toHaveProperty('disabled', true) // none of them is online
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
    await screen.findByText('They are signed out of their phones immediately, and deleted for good.')
    await press(user, 'Cancel')
    await noDialog()
    await user.click(bulk('Delete'))
    await press(user, 'Delete users')
    await expectToast('2 users deleted')
    await screen.findByText('No users found')
  })
})

describe('Bulk Switch', () => {
  test('leaves a phone alone that was not there yet when it was pressed', async () => {
    const [amina, bela] = await addUsers('amina', 'bela')
    for (const one of [amina, bela]) if (one) await buildPhone(server, host, one)
    const { user, before } = openUsers()
    await status('bela', 'Online')
    for (const name of ['amina', 'bela']) {
      const [box] = (await row(name)).getAllByRole('checkbox')
      if (box) await user.click(box)
    }
    const bar = within(screen.getByRole('region', { name: 'Bulk actions' }))
    await user.click(bar.getByRole('button', { name: 'Switch phone' }))
    before('POST', /\/bulk\/switch$/, async () => {
      await call(server, 'POST', `/host/users/${bela?.id}/switch`, { as: host })
      if (bela) await buildPhone(server, host, bela)
    })
    await press(user, 'Switch phone', await inDialog('Switch 2 users to other phones?'))
    await expectToast('1 user freed from their phones, 1 failed: This has changed in the meantime. Please look again.')
  })
})

describe('sign-in cards', () => {
  const select = async (user: UserEvent, ...names: string[]) => {
    for (const name of names) {
      const [box] = (await row(name)).getAllByRole('checkbox')
      if (box) await user.click(box)
    }
  }

  test('show the selected users what to sign in with, to print or copy, and keep nothing of it', async () => {
    const [amina] = await addUsers('amina', 'bela', 'chika')
    await call(server, 'PUT', '/host/app-info', { as: host, body: { user_title: 'Evening circle' } })
    const { user, refuse, calls } = openUsers()
    await press(user, 'Actions')
    await user.click(await screen.findByRole('menuitem', { name: 'Sign-in cards' }))
    await expectToast('Please select users first')

    await select(user, 'amina', 'bela')
    refuse('POST', /\/bulk\/credentials$/, { times: 1, status: 429, message: 'Too many passwords were shown.' })
    await press(user, 'Sign-in cards')
    const dialog = await inDialog('Sign-in cards for 2 users')
    await dialog.findByText('Too many passwords were shown.')
    await press(user, 'Try again', dialog)
    const cards = within(await dialog.findByRole('list', { name: 'Sign-in cards' }))
    expect(cards.getAllByRole('heading', { name: 'Evening circle' })).toHaveLength(2)
    expect(cards.getAllByRole('img', { name: 'QR code of the sign-in page' })).toHaveLength(2)
    const [card] = cards.getAllByRole('listitem').filter((item) => item.textContent.includes('amina'))
    expect(card?.textContent).toContain(`Host ID${host.user_id}Usernameamina`)
    expect(card?.textContent).toContain(`Password${PASSWORD}`)
    expect(card?.textContent).toContain(
      `open this address in its browser: http://phone.localhost:3000/?host=${host.user_id}`,
    )

    await press(user, 'Copy all', dialog)
    await expectToast('Credentials copied to clipboard')
    const copied = await navigator.clipboard.readText()
    expect(copied.match(/How to sign in to “Evening circle”/g)).toHaveLength(2)
    const print = vi.spyOn(window, 'print').mockReturnValue()
    await press(user, 'Print', dialog)
    expect(print).toHaveBeenCalledOnce()
    await press(user, 'Close', dialog)
    await noDialog()
    expect(document.body.textContent).not.toContain(PASSWORD)
    expect(calls.filter((made) => made === 'POST /host/users/bulk/credentials')).toHaveLength(2)
    const { entries } = await readAudit(
      server,
      host,
      `user=${amina?.id}&action=user_credentials_revealed`,
      '/host/audit',
    )
    expect(entries).toHaveLength(1)
  })

  test('leave out who was deleted since, and say so', async () => {
    const [, bela] = await addUsers('amina', 'bela')
    const { user, before } = openUsers()
    await select(user, 'amina', 'bela')
    before('POST', /\/bulk\/credentials$/, () => call(server, 'POST', `/host/users/${bela?.id}/delete`, { as: host }))
    await press(user, 'Sign-in cards')
    const dialog = await inDialog('Sign-in cards for 2 users')
    await dialog.findByText('1 of the selected users no longer exists.')
    expect(within(dialog.getByRole('list', { name: 'Sign-in cards' })).getAllByRole('heading')).toHaveLength(1)
  })
})

describe('the list', () => {
  const names = () => screen.getAllByRole('checkbox', { name: /^Select (?!all)/ }).map((box) => box.ariaLabel ?? '')
  const listed = async (...usernames: string[]) => {
    const expected = usernames.map((name) => `Select ${name}`)
    // The same checkbox is also before a card's heading.
    await waitFor(() => expect([...new Set(names())]).toEqual(expected))
  }
  const search = () => new URLSearchParams(window.location.search)

  test('filters by number and text, and exports the users shown', async () => {
    const [, bela] = await addUsers('amina', 'bela', 'chika', 'dora')
    if (bela) await buildPhone(server, host, bela)
    const { user } = openUsers()
    await press(user, /^Online\s*1$/)
    await screen.findByText('1 of 4')
    await listed('bela')
    await user.type(screen.getByLabelText('Filter users'), 'amina')
    await screen.findByText('No user matches these filters: online, “amina” in username, user ID or reference.')
    await press(user, /^Total\s*4$/)
    await status('amina', 'Active')
    fill(screen.getByLabelText('Filter users'), 'ID-DORA')
    await listed('dora')
    await user.dblClick(await button('Export'))
    const { name, lines } = await savedCsv()
    expect(name).toBe('users.csv')
    expect(lines).toEqual([expect.stringMatching(/^user_id,/), expect.stringMatching(/^id-dora,dora,/)])
    expect(savedCount()).toBe(0) // a double click saves one
    await press(user, 'Clear filters')
    await listed('amina', 'bela', 'chika', 'dora')
    expect(window.location.search).toBe('')
    expect(screen.getByLabelText('Filter users')).toHaveProperty('value', '')
  })

  test('shows what the address says, and keeps what is chosen in it', async () => {
    const [, bela, chika] = await addUsers('amina', 'bela', 'chika')
    if (bela) await buildPhone(server, host, bela)
    await call(server, 'POST', `/host/users/${chika?.id}/mute`, { as: host })
    const { user } = openUsers('?show=never-signed-in&sort=-username')
    await listed('chika', 'amina')
    await screen.findByText('2 of 3')
    expect(await button('Never signed in 2')).toHaveProperty('ariaPressed', 'true')
    await press(user, 'Muted 1')
    await listed('chika')
    expect((await row('chika')).getAllByText('Muted').length).toBeGreaterThan(0)
    expect(search().get('show')).toBe('muted')
    await press(user, 'Muted 1')
    await listed('chika', 'bela', 'amina')

    await press(user, 'Username')
    await listed('amina', 'bela', 'chika') // in the order in which they were added
    expect(window.location.search).toBe('')
    await press(user, 'Username')
    await press(user, 'Username')
    await listed('chika', 'bela', 'amina')
    expect(search().get('sort')).toBe('-username')
  })

  test('shows who has an older app than the newest, and marks it', async () => {
    const [amina, bela] = await addUsers('amina', 'bela', 'chika')
    if (bela) await buildPhone(server, host, bela)
    const phone = { device_id: 'her-phone', platform: 'android', app_version: '1.3.9' }
    const login = { host_id: host.user_id, username: amina?.username, password: PASSWORD, ...phone }
    expect((await call(server, 'POST', '/mobile/login', { body: login })).status).toBe(200)
    openUsers('?show=older-app')
    await listed('amina')
    expect((await row('amina')).getAllByTitle('Older than 1.4.0, the newest app in your room')).toHaveLength(1)
  })

  test('shows who was last seen before a day', async () => {
    const [amina] = await addUsers('amina', 'bela')
    if (amina) await call(server, 'POST', '/mobile/logout', { as: await buildPhone(server, host, amina) })
    const { user } = openUsers()
    await press(user, 'Last seen before')
    fill(await screen.findByLabelText('Day'), '2001-01-01')
    await press(user, 'Show')
    await screen.findByText('No user matches these filters: last seen before 1 Jan 2001.')
    expect(search().get('seen-before')).toBe('2001-01-01')
    await press(user, /^Last seen before 1 Jan 2001/)
    fill(await screen.findByLabelText('Day'), '2100-01-01')
    await press(user, 'Show')
    await listed('amina')
    await press(user, /^Last seen before 1 Jan 2100/)
    await press(user, 'Any day')
    await listed('amina', 'bela')
  })

  test('has all columns but the room until the host chooses, and remembers the choice', async () => {
    await addUsers('amina')
    const { user } = openUsers()
    await row('amina')
    const columns = () => screen.getAllByRole('columnheader').map((head) => head.textContent)
    const all = ['Sr. No.', 'User ID', 'Info', 'Username', 'Reference', 'Log Time', 'Platform', 'App. Ver']
    const heads = () =>
      columns()
        .slice(1)
        .map((text) => text.replace(/^(.+)\1$/, '$1'))
    expect(heads()).toEqual([...all, 'Status', 'Actions'])
    const choose = async (name: string) => {
      await press(user, 'Columns')
      await user.click(await screen.findByRole('checkbox', { name }))
      await press(user, 'Columns')
    }
    await choose('Platform')
    await waitFor(() => expect(heads()).not.toContain('Platform'))
    expect(heads()).not.toContain('Room')
    expect(JSON.parse(localStorage.getItem('parley.hidden-user-columns') ?? '').sort()).toEqual(['platform', 'room'])
    await choose('Room')
    await waitFor(() => expect(heads()).toContain('Room'))
    expect(heads()).not.toContain('Platform')
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
