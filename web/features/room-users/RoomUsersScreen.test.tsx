import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import { buildPhone, call, PASSWORD } from '../../../test/factories/accounts.ts'
import { expectToast, fill, inDialog, press, savedCount, savedCsv } from '../../../test/pages/page.tsx'
import {
  addUsers,
  button,
  expectNoDialog,
  host,
  openUsers,
  row,
  server,
  setupUsers,
  status,
} from '../../../test/pages/users-page.ts'

await setupUsers()

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
    await press(user, 'Undo')
    await expectToast('Undone')
    await user.click(bulk('Unmute'))
    await expectToast('3 users unmuted')
    await user.click(bulk('Deactivate'))
    await press(user, 'Undo')
    await expectToast('Undone')
    await button(/^Inactive\s*0$/)

    before('POST', /\/bulk\/deactivate$/, () => call(server, 'POST', `/host/users/${dora?.id}/delete`, { as: host }))
    await user.click(bulk('Deactivate'))
    await expectToast('2 users deactivated, 1 failed: User not found')
    await button(/^Inactive\s*2$/)
    await screen.findByText('2 selected')

    await user.click(bulk('Delete'))
    await screen.findByText('They are signed out of their phones immediately, and deleted for good.')
    await press(user, 'Cancel')
    await expectNoDialog()
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
