import { screen, waitFor, within } from '@testing-library/react'
import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { buildHost, buildMaster, buildPhone, buildRoomUser, type SignedIn } from '../../../test/factories/accounts.ts'
import { openPage, press } from '../../../test/pages/page.tsx'
import { setup } from '../../../test/servers/setup.ts'

const server = await setup()
let master: SignedIn & { id: string }
beforeEach(async () => {
  master = await buildMaster(server)
})
const openHome = () => openPage(server, '/master/home', { ...master, role: 'master' })
const card = (name: RegExp) => screen.findByRole('link', { name })

test('the home counts what goes on and what needs a master, and each number leads to its list', async () => {
  const host = await buildHost(server, { username: 'choir', room_name: 'Evening choir' })
  await buildHost(server, { username: 'quiet' })
  await buildPhone(server, host, await buildRoomUser(server, host, { username: 'Ravi' }))
  const end = sql<Date>`now() + interval '3 days'`
  await server.deps.db.updateTable('hosts').set({ subscription_end_date: end }).where('id', '=', host.id).execute()
  for (const fault of ['unavailable', 'unavailable', 'rate_limit'] as const) server.deps.zoomErrors.note(fault)
  const { user } = openHome()
  for (const [name, to] of [
    [/^Rooms Live Now ?1 ?1 user online$/, '/master/hosts?filter=live'],
    [/^Renewals Due ?1 ?1 ending, 0 ended$/, '/master/renewals?days=7'],
    [/^Zoom in Trouble ?0/, '/master/hosts?filter=zoom-in-trouble'],
    [/^Recordings Not Archived ?0/, '/master/hosts?filter=unarchived'],
  ] as const)
    expect((await card(name)).getAttribute('href')).toBe(to)

  await screen.findByText(/^Most were online at \d\d:\d\d \(1, in all rooms together\); 1 is online now\.$/)
  screen.getByText('1 room is live.')
  screen.getByText(/^3 calls have failed \(not answered: 2, too many calls: 1\), most of them from \d\d:00 on\./)
  expect(screen.getByRole('link', { name: 'See the checks' }).getAttribute('href')).toBe('/master/system')
  await press(user, 'Table of Rooms live now')
  const table = await screen.findByRole('table', { name: 'Rooms live now' })
  expect(within(table).getByRole('link', { name: 'choir' }).getAttribute('href')).toBe(`/master/hosts?host=${host.id}`)
  await press(user, 'Table of Users online, last 24 hours')
  const over = await screen.findByRole('table', { name: 'Users online' })
  expect(within(over).getAllByRole('row')).toHaveLength(97)
  expect(screen.queryByText(/Ravi/)).toBeNull()

  await user.click(await card(/^Rooms Live Now/))
  await screen.findByRole('heading', { name: 'Host Management' })
  await waitFor(() => expect(screen.getAllByRole('row')).toHaveLength(2))
  screen.getByRole('row', { name: /choir/ })
})

test('the home of a quiet day says so', async () => {
  openHome()
  await screen.findByText('No user was online in any room in the last 24 hours.')
  screen.getByText('No call has failed at Zoom in the last 24 hours.')
  screen.getByText('No room is live: no user is online, and no meeting runs.')
  expect(screen.queryByRole('button', { name: /^Table of/ })).toBeNull()
})

test('the home says that it could not be loaded, and tries again', async () => {
  const { user, refuse } = openHome()
  const stop = refuse('GET', /^\/admin\/home$/)
  await screen.findByText('Failed to load the numbers')
  stop()
  await press(user, 'Try again')
  await card(/^Rooms Live Now ?0/)
})
