import { screen, waitFor, within } from '@testing-library/react'
import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { buildHost, buildMaster, buildRoomUser, call, type SignedIn } from '../../../../test/factories/accounts.ts'
import { expectToast, fill, openPage, press, savedCsv } from '../../../../test/pages/page.tsx'
import { setup } from '../../../../test/servers/setup.ts'

const server = await setup()
let master: SignedIn & { id: string; email: string }
beforeEach(async () => {
  master = await buildMaster(server)
})
const openLog = (query = '') => openPage(server, `/master/log${query}`, { ...master, role: 'master' })
const rows = async () => {
  const table = await screen.findByRole('table', { name: 'Log of all hosts' })
  return within(table)
    .getAllByRole('row')
    .slice(1)
    .map((row) =>
      within(row)
        .getAllByRole('cell')
        .slice(1, 4)
        .map(({ textContent }) => textContent?.replace(/^(Host|By)(?=c)/, '')),
    )
}

test('lists what was done for all hosts, and narrows it by words, host and kind, which the address keeps', async () => {
  const [choir, circle] = [
    await buildHost(server, { username: 'choir' }),
    await buildHost(server, { username: 'circle', email: 'circle@example.com' }),
  ]
  const ravi = await buildRoomUser(server, choir, { username: 'Ravi' })
  const mei = await buildRoomUser(server, circle, { username: 'Mei' })
  await call(server, 'POST', `/host/users/${ravi.id}/mute`, { as: choir })
  await call(server, 'POST', `/host/users/${mei.id}/mute`, { as: circle })
  const { user } = openLog('?kind=mutes')
  await waitFor(async () =>
    expect(await rows()).toEqual([
      ['User mutedMei', 'circle', 'circle'],
      ['User mutedRavi', 'choir', 'choir'],
    ]),
  )
  expect(screen.getByRole('link', { name: 'choir' }).getAttribute('href')).toBe(`/master/hosts?host=${choir.id}`)
  fill(screen.getByRole('searchbox', { name: 'Search the log' }), 'rav')
  await waitFor(async () => expect(await rows()).toEqual([['User mutedRavi', 'choir', 'choir']]))
  expect(window.location.search).toBe('?kind=mutes&q=rav')

  await user.click(screen.getByRole('combobox', { name: 'Host' }))
  await user.click(await screen.findByRole('option', { name: 'circle · circle@example.com' }))
  await screen.findByText('No action matches this choice.')
  await press(user, 'Show all actions')
  await waitFor(() => expect(window.location.search).toBe(''))
  await screen.findAllByText('Host created')
})

test('opens for one host, pages, and saves a file in either format', async () => {
  const host = await buildHost(server, { username: 'choir' })
  await buildHost(server, { username: 'circle' })
  await sql`insert into audit (at, actor_role, actor_id, host_id, action)
    select now() - n * interval '1 second', 'host', ${host.id}, ${host.id}::uuid, 'mute_all'
    from generate_series(1, 60) as n`.execute(server.deps.db)
  const { user, refuse } = openLog(`?host=${host.id}`)
  await waitFor(async () => expect(await rows()).toHaveLength(50))
  await press(user, 'Show older')
  await waitFor(async () => expect((await rows()).length).toBeGreaterThan(59))
  expect((await rows()).every(([, name]) => name === 'choir')).toBe(true)
  await press(user, 'Download JSON lines')
  const { name, lines } = await savedCsv()
  expect(name).toBe('audit.jsonl')
  expect(lines.join().split('\n').length).toBeGreaterThan(59)
  refuse('GET', /^\/admin\/audit$/)
  await press(user, 'Download CSV')
  await expectToast('The file could not be fetched. Please try again.')
})

test('says that it could not be loaded, and tries again', async () => {
  const { user, refuse } = openLog()
  const stop = refuse('GET', /^\/admin\/audit$/)
  await screen.findByText('Failed to load the log')
  stop()
  await press(user, 'Try again')
  await screen.findByText('No actions found')
})
