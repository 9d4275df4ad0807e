import { screen, waitFor, within } from '@testing-library/react'
import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import {
  buildHost,
  buildMaster,
  buildPhone,
  buildRoomUser,
  call,
  type TestHost,
} from '../../../test/factories/accounts.ts'
import { expectToast, fill, openPage, press, savedCsv } from '../../../test/pages/page.tsx'
import { setup } from '../../../test/servers/setup.ts'

const server = await setup()
let host: TestHost
beforeEach(async () => {
  host = await buildHost(server)
})
const openLog = (query = '') => openPage(server, `/host/log${query}`, { ...host, role: 'host' })
const lines = () => screen.getAllByRole('listitem').map((line) => line.textContent?.replace(/^\d\d:\d\d/, ''))

describe('Log', () => {
  test('tells who did what, newest first, and leads to the user', async () => {
    const ravi = await buildRoomUser(server, host, { username: 'Ravi' })
    await buildPhone(server, host, ravi)
    await call(server, 'POST', `/host/users/${ravi.id}/mute`, { as: host })
    await call(server, 'POST', `/host/users/${ravi.id}/credentials`, { as: host, body: { purpose: 'copy' } })
    const extension = { additional_months: 3 }
    await call(server, 'POST', `/admin/hosts/${host.id}/extend-subscription`, {
      as: await buildMaster(server),
      body: extension,
    })
    const { user } = openLog()
    await screen.findByText(/extended the subscription/)
    expect(lines().slice(0, 5)).toEqual([
      expect.stringMatching(/^An administrator extended the subscription by 3 months, until \d+ \w+ \d{4}$/),
      'You copied the credentials of Ravi',
      'You muted Ravi',
      'Phone of Ravi signed in',
      'You added Ravi',
    ])
    const [link] = screen.getAllByRole('link', { name: 'Ravi' })
    await user.click(link ?? document.body)
    await screen.findByRole('dialog', { name: 'Ravi' })
    expect(window.location.search).toBe(`?user=${ravi.id}`)
  })

  test('shows an import, and passwords that a program reads, as one line each, which unfolds to the names', async () => {
    const import_id = crypto.randomUUID()
    const ids: string[] = []
    for (const names of [['Ana', 'Bea'], ['Chi']]) {
      const users = names.map((username) => ({ username, user_id: `id-${username}`, password: 'lantern-1' }))
      const { body } = await call(server, 'POST', '/host/users/import', { as: host, body: { users, import_id } })
      for (const { id } of body.data.added) ids.push(id)
    }
    for (const id of ids) await call(server, 'POST', `/host/users/${id}/credentials`, { as: host })
    await call(server, 'POST', `/host/users/${ids[0]}/mute`, { as: host })
    const { user } = openLog()
    await screen.findByText(/You added 3 users \(import\)/)
    expect(lines().slice(0, 3)).toEqual([
      'You muted Ana',
      'You read the credentials of 3 usersShow names',
      'You added 3 users (import)Show names',
    ])
    const [, show] = screen.getAllByRole('button', { name: 'Show names' })
    await user.click(show ?? document.body)
    const names = await screen.findByRole('list', { name: 'Users' })
    await waitFor(() =>
      expect(
        within(names)
          .getAllByRole('link')
          .map((link) => link.textContent),
      ).toEqual(['Ana', 'Bea', 'Chi']),
    )
    expect(screen.getByRole('button', { name: 'Hide names' }).getAttribute('aria-expanded')).toBe('true')
  })

  test('says how many users of an act are only in the file', async () => {
    const users = Array.from({ length: 103 }, (_, index) => ({
      username: `Ann ${1_000 + index}`,
      user_id: `id-${index}`,
      password: 'lantern-1',
    }))
    await call(server, 'POST', '/host/users/import', { as: host, body: { users } })
    const { user } = openLog()
    await screen.findByText(/You added 103 users \(import\)/)
    await user.click(screen.getByRole('button', { name: 'Show names' }))
    const names = await screen.findByRole('list', { name: 'Users' })
    const shown = within(names).getAllByRole('listitem')
    expect(shown).toHaveLength(101)
    expect(shown.at(-1)?.textContent).toBe('and 3 more, who are in the downloaded CSV')
  })

  test('is filtered by kind and by user, and keeps that in the address', async () => {
    const [ravi, mei] = [
      await buildRoomUser(server, host, { username: 'Ravi', user_id: 'U000001' }),
      await buildRoomUser(server, host, { username: 'Mei', user_id: 'U000002' }),
    ]
    for (const { id } of [ravi, mei]) await call(server, 'POST', `/host/users/${id}/mute`, { as: host })
    const { user } = openLog()
    await screen.findByText(/created your account/)
    await user.selectOptions(screen.getByLabelText('Show'), 'Muting')
    await waitFor(() => expect(lines()).toEqual(['You muted Mei', 'You muted Ravi']))
    await user.click(screen.getByRole('combobox', { name: 'User' }))
    await user.click(await screen.findByRole('option', { name: 'Ravi · U000001' }))
    await waitFor(() => expect(lines()).toEqual(['You muted Ravi']))
    expect(window.location.search).toBe(`?kind=mutes&of=${ravi.id}`)

    await user.selectOptions(screen.getByLabelText('Show'), 'Downloads')
    await screen.findByText('No action matches this choice.')
    await press(user, 'Show all actions')
    await screen.findByText(/created your account/)
    expect(window.location.search).toBe('')
  })

  test('shows older entries when asked to, and others by their days', async () => {
    await sql`insert into audit (at, actor_role, actor_id, host_id, action)
      select now() - n * interval '1 second', 'host', ${host.id}, ${host.id}, 'mute_all'
      from generate_series(1, 60) as n`.execute(server.deps.db)
    const { user, refuse } = openLog('?kind=mutes')
    await screen.findByRole('button', { name: 'Show older' })
    expect(lines()).toHaveLength(50)
    const stop = refuse('GET', /^\/host\/audit$/)
    await press(user, 'Show older')
    await screen.findByText('Older actions could not be loaded. Please try again.')
    stop()
    await press(user, 'Show older')
    await waitFor(() => expect(lines()).toHaveLength(60))
    expect(screen.queryByRole('button', { name: 'Show older' })).toBeNull()
    fill(screen.getByLabelText('First day'), '2020-01-01')
    fill(screen.getByLabelText('Last day'), '2020-01-02')
    await screen.findByText('No actions found')
  })

  test('is saved as a file, without a password', async () => {
    const ravi = await buildRoomUser(server, host, { username: 'Ravi' })
    const body = { username: 'Ravi', user_id: ravi.user_id, password: 'a-new-password-9' }
    await call(server, 'PUT', `/host/users/${ravi.id}`, { as: host, body })
    const { user } = openLog('?kind=users')
    await screen.findByText(/: password$/)
    await press(user, 'Download CSV')
    const { name, lines: saved } = await savedCsv()
    expect(name).toBe('audit.csv')
    expect(saved).toHaveLength(3)
    expect(saved.join()).not.toMatch('a-new-password-9')
  })

  test('shows a failure to load or to save, and can be retried', async () => {
    const { user, refuse } = openLog()
    const stop = refuse('GET', /^\/host\/audit$/)
    await screen.findByText('Failed to load the log')
    stop()
    await press(user, 'Try again')
    await screen.findByText(/created your account/)
    refuse('GET', /^\/host\/audit$/)
    await press(user, 'Download CSV')
    await expectToast('The file could not be fetched. Please try again.')
  })

  test("is in the header's menu, and found by the search", async () => {
    const { user } = openPage(server, '/host/app-info', { ...host, role: 'host' })
    await press(user, 'Your account')
    await user.click(await screen.findByRole('menuitem', { name: 'Log' }))
    await screen.findByRole('heading', { name: 'Log', level: 1 })
    await press(user, /^Search/)
    fill(await screen.findByRole('combobox', { name: /Go to a page/ }), 'log')
    await screen.findByRole('option', { name: 'Log' })
  })
})
