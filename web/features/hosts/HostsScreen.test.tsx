import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { buildHost, buildMaster, call, type TestHost } from '../../../test/factories/accounts.ts'
import { expectToast, inDialog, openPage, press, savedCsv } from '../../../test/pages/page.tsx'
import { setup } from '../../../test/servers/setup.ts'
import { site } from '../../lib/site.ts'

const PAGE_SIZE = 50
const server = await setup()
let master: Awaited<ReturnType<typeof buildMaster>>
beforeEach(async () => {
  master = await buildMaster(server)
})

const openHosts = (query = '', path = '/master/hosts') => openPage(server, path + query, { ...master, role: 'master' })
const rows = async () =>
  within(await screen.findByRole('table', { name: 'Hosts' }))
    .getAllByRole('row')
    .slice(1)
const expectRows = (...usernames: string[]) =>
  waitFor(async () => {
    const shown = (await rows()).map((row) => usernames.find((username) => row.textContent.startsWith(username)))
    expect(shown).toEqual(usernames)
  })
const expectAddress = (address: string) =>
  waitFor(() => expect(window.location.pathname + window.location.search).toBe(address))
const noDialog = () => waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())

describe('Host Management', () => {
  test('searches, filters and sorts, and keeps all of it in the address', async () => {
    await buildHost(server, { username: 'asha' })
    await buildHost(server, { username: 'bruno', mobile: '+49 151 777', subscription_type: null })
    await buildHost(server, { username: 'chen' })
    const { user } = openHosts()
    await expectRows('chen', 'bruno', 'asha')
    const search = screen.getByRole('searchbox', { name: 'Search hosts' })
    const filter = screen.getByRole('combobox', { name: 'Show' })
    expect(screen.getByRole('button', { name: /^Total Hosts\s*3$/, pressed: true })).toBeTruthy()

    fireEvent.change(search, { target: { value: '777' } })
    await expectRows('bruno')
    await expectAddress('/master/hosts?q=777')
    await screen.findByText('1 of 3')
    fireEvent.change(search, { target: { value: 'no such host' } })
    await screen.findByText('No hosts found')
    await press(user, 'Show all hosts')
    await expectRows('chen', 'bruno', 'asha')
    await expectAddress('/master/hosts')

    await user.selectOptions(filter, 'No subscription (1)')
    await expectRows('bruno')
    await expectAddress('/master/hosts?filter=no-subscription')
    await press(user, /^Zoom Connected/)
    await screen.findByText('No hosts found')
    await expectAddress('/master/hosts?filter=zoom-connected')
    await user.selectOptions(filter, 'all')

    await expectRows('chen', 'bruno', 'asha')
    await press(user, 'Host')
    await expectRows('asha', 'bruno', 'chen')
    expect(screen.getByRole('columnheader', { name: /^Host/ }).getAttribute('aria-sort')).toBe('ascending')
    await press(user, 'Host')
    await expectRows('chen', 'bruno', 'asha')
    expect(screen.getByRole('columnheader', { name: /^Host/ }).getAttribute('aria-sort')).toBe('descending')
    await expectAddress('/master/hosts?sort=-host')
  })

  test('opens at the filter, sorting and page of its address', async () => {
    await addCopies(await buildHost(server, { username: 'asha' }), PAGE_SIZE + 1)
    const { user } = openHosts('?q=copy&page=2')
    await expectRows('copy1')
    expect(screen.getByRole('searchbox', { name: 'Search hosts' })).toHaveProperty('value', 'copy')
    await press(user, '1')
    await waitFor(async () => expect(await rows()).toHaveLength(PAGE_SIZE))
    await expectAddress('/master/hosts?q=copy')
    await press(user, '2')
    await expectRows('copy1')
    await press(user, /^Total Hosts/) // any change resets the list to its first page
    await expectAddress('/master/hosts?q=copy')
  })

  test('hides columns, and remembers them', async () => {
    await buildHost(server)
    const { user } = openHosts()
    await screen.findByRole('columnheader', { name: /^Contact/ })
    await press(user, 'Columns')
    await user.click(await screen.findByRole('checkbox', { name: 'Contact' }))
    await waitFor(() => expect(screen.queryByRole('columnheader', { name: /^Contact/ })).toBeNull())
    await user.click(await screen.findByRole('checkbox', { name: 'Storage' })) // does not fit at first
    await screen.findByRole('columnheader', { name: /^Storage/ })
    expect(localStorage.getItem('parley.hidden-host-columns')).toBe('["contact"]')
  })

  test('leaves out the columns that were hidden before', async () => {
    localStorage.setItem('parley.hidden-host-columns', '["storage"]')
    await buildHost(server)
    openHosts()
    await screen.findByRole('columnheader', { name: /^Subscription/ })
    expect(screen.queryByRole('columnheader', { name: /^Storage/ })).toBeNull()
  })

  test('exports the filtered hosts as a file without formulas', async () => {
    await buildHost(server)
    const mobile = '=HYPERLINK("http://evil.example")'.slice(0, 32)
    const { username } = await buildHost(server, { subscription_type: null, mobile })
    const { user } = openHosts('?filter=no-subscription')
    await expectRows(username)
    await press(user, 'Export CSV')
    const { name, lines } = await savedCsv()
    expect(name).toMatch(/^hosts-no-subscription-\d{4}-\d\d-\d\d\.csv$/)
    expect(lines).toEqual([expect.stringContaining('host_id'), expect.stringContaining(`"'=HYPERLINK(""http://`)])
  })

  test('shows a failure to refresh, and keeps the last list', async () => {
    const { username } = await buildHost(server)
    const { refuse } = openHosts()
    await expectRows(username)
    refuse('GET', /^\/admin\/hosts$/)
    fireEvent(window, new Event('visibilitychange'))
    await screen.findByText('Failed to refresh data')
    await expectRows(username)
  })

  test('counts a host as active only while its subscription runs, with its days left and its end', async () => {
    const [active, cancelled] = [await buildHost(server), await buildHost(server)]
    const master = await buildMaster(server)
    await call(server, 'POST', `/admin/hosts/${cancelled.id}/cancel-subscription`, { as: master })
    const path = `/admin/hosts/${active.id}/extend-subscription`
    await call(server, 'POST', path, { as: master, body: { additional_months: 1 } })
    openHosts()
    const rowOf = async ({ username }: { username: string }) =>
      within(await screen.findByRole('row', { name: new RegExp(username) }))
    await screen.findByRole('button', { name: 'Active Hosts 1' })
    const own = await rowOf(active)
    own.getByText('Active')
    own.getByText(/^3\d\d days left$/) // a year and a month
    own.getByText(/^until \d+ \w+ \d{4}$/)
    own.getByText('last extension: 1 month')
    ;(await rowOf(cancelled)).getByText('Inactive')
  })

  test('shows a failure without a list', async () => {
    const { username } = await buildHost(server)
    const page = openHosts()
    const stop = page.refuse('GET', /^\/admin\/hosts$/)
    expect(await screen.findByRole('alert')).toHaveProperty(
      'textContent',
      expect.stringContaining('Failed to load hosts'),
    )
    screen.getByRole('button', { name: 'Active Hosts –' })
    expect(screen.getByRole('button', { name: 'Export CSV' })).toHaveProperty('disabled', true)
    stop()
    await press(page.user, 'Try again')
    await expectRows(username)
  })

  test('shows the host found by the jump-to', async () => {
    const { username, email } = await buildHost(server)
    await buildHost(server)
    const { user } = openHosts('', '/host/host-master')
    await screen.findByRole('table', { name: 'All hosts' })
    await user.keyboard('/')
    await user.type(await screen.findByRole('combobox', { name: 'Go to a page or a user' }), email)
    await waitFor(() =>
      expect(screen.getAllByRole('option').map(({ textContent }) => textContent)).toEqual([
        expect.stringContaining(username),
        expect.stringMatching(/^Search the documentation/),
      ]),
    )
    await user.keyboard('{Enter}')
    const details = await inDialog('Host Details')
    details.getByText(email)
    details.getAllByText(username)
    await user.keyboard('{Escape}')
    await noDialog()
    await expectAddress('/master/hosts')
  })
})

describe('the details of a host', () => {
  test('show its subscription and history, and open Edit Host', async () => {
    const { username, email, id } = await buildHost(server)
    await call(server, 'POST', `/admin/hosts/${id}/cancel-subscription`, { as: master })
    await call(server, 'POST', `/admin/hosts/${id}/extend-subscription`, { as: master, body: { additional_months: 3 } })
    const { user } = openHosts()
    await press(user, `View ${username}`)
    const details = await inDialog('Host Details')
    details.getByText(email)
    await details.findByText('Extended, 3 months')
    await details.findByText('Subscription cancelled')
    await details.findByText('Host created')
    await press(user, 'Edit host', details)
    await inDialog('Edit Host')
    await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Host Details' })).toBeNull())
  })
})

test('the details of a host make a link for a forgotten password', async () => {
  const { username } = await buildHost(server)
  const { user } = openHosts()
  await press(user, `View ${username}`)
  const details = await inDialog('Host Details')
  await user.click(details.getByLabelText('Also remove the second factor'))
  await press(user, 'Make reset link', details)
  const link = await details.findByLabelText('Reset link')
  const token = link.getAttribute('value')?.split('/link#')[1]
  const { body } = await call(server, 'POST', '/auth/links/look', { body: { token } })
  expect(body.data).toMatchObject({ purpose: 'host_reset', account: username, removes_second_factor: true })
  details.getByRole('button', { name: 'Copy link' })
  expect(details.queryByText(/by email/)).toBeNull()
})

test.each([
  ['smtp://127.0.0.1:1', (email: string) => `It is also on its way to ${email} by email.`],
  [undefined, () => 'It could not be sent by email: copy it, and send it another way.'],
])('where mail is on, the link for a forgotten password is sent by email too: %s', async (SMTP_URL, note) => {
  site.sends_mail = true
  Object.assign(server.deps.config, { SMTP_URL })
  onTestFinished(() => {
    site.sends_mail = false
    delete server.deps.config.SMTP_URL
  })
  const { username, email } = await buildHost(server)
  const { user } = openHosts()
  await press(user, `View ${username}`)
  const details = await inDialog('Host Details')
  expect(details.getByLabelText('Send by email')).toHaveProperty('checked', true)
  await press(user, 'Make reset link', details)
  await details.findByLabelText('Reset link')
  details.getByText(note(email))
})

describe('deleting a host', () => {
  const question = 'Its data is kept for 30 days, in which it can be restored, and then erased for good.'

  test('asks first, and can be undone', async () => {
    const { username } = await buildHost(server)
    const { user, refuse } = openHosts()
    const remove = async () => {
      await press(user, `Delete ${username}`)
      const dialog = await inDialog(`Delete ${username}?`)
      dialog.getByText(question)
      await press(user, 'Delete host', dialog)
      await noDialog()
    }
    refuse('DELETE', /^\/admin\/hosts\//, { times: 1 })
    await remove()
    await expectToast('Failed to delete host: Please try again.')
    await remove()
    await expectToast(
      `Host "${username}" deleted successfully. All associated data has been removed. It can be restored for 30 days.`,
    )
    await screen.findByText('No hosts found')

    await user.selectOptions(screen.getByRole('combobox', { name: 'Show' }), 'deleted')
    await screen.findByText('30 days left')
    await press(user, `Restore ${username}`)
    await expectToast(`Host "${username}" restored. Zoom has to be connected again.`)
    await screen.findByText('No hosts found')
    await press(user, 'Show all hosts')
    await expectRows(username)
  })

  test('can be made final at once', async () => {
    const { username, id } = await buildHost(server)
    await call(server, 'DELETE', `/admin/hosts/${id}`, { as: master })
    const { user } = openHosts('?filter=deleted')
    await press(user, `Purge ${username} now`)
    await press(user, 'Purge now', await inDialog(`Purge ${username} now?`))
    await expectToast('The data of this host has been removed for good.')
    await screen.findByText('No hosts found')
    const { body } = await call(server, 'GET', '/admin/hosts?deleted=true', { as: master })
    expect(body.data.hosts).toEqual([])
  })
})

/** Adds copies of a host directly to the database, since hashing each password through the API is slow. */
async function addCopies({ id }: TestHost, count: number): Promise<void> {
  const { db } = server.deps
  const { numerical_id: _, ...original } = await db
    .selectFrom('hosts')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  const names = Array.from({ length: count }, (_each, at) => `copy${at + 1}`)
  const copies = names.map((name) => ({
    ...original,
    id: crypto.randomUUID(),
    username: name,
    username_key: name,
    email: `${name}@example.com`,
    email_key: `${name}@example.com`,
  }))
  await db.insertInto('hosts').values(copies).execute()
  await db
    .insertInto('rooms')
    .values(copies.map((copy) => ({ host_id: copy.id, name: copy.username })))
    .execute()
  await db
    .insertInto('app_info')
    .values(copies.map((copy) => ({ host_id: copy.id })))
    .execute()
}
