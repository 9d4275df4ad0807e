import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import type { RoomUser } from '../../../shared/room-users.ts'
import { buildHost, buildRoomUser, type TestHost } from '../../../test/factories/accounts.ts'
import { expectToast, openPage } from '../../../test/pages/page.tsx'
import { setup } from '../../../test/servers/setup.ts'
import { site } from '../../lib/site.ts'

const server = await setup()
let host: TestHost
let amina: RoomUser
beforeEach(async () => {
  site.seat_url = 'http://meeting.phone.localhost:3000/seat'
  host = await buildHost(server)
  amina = await buildRoomUser(server, host, { username: 'amina' })
  const { id: room_id } = await server.deps.rooms.get(host.id)
  const links = ['amina k.', 'mina'].map((folded_name) => ({ room_id, folded_name, room_user_id: amina.id }))
  const created_at = new Date()
  await server.deps.db
    .insertInto('attendee_links')
    .values(links.map((link) => ({ ...link, created_at })))
    .execute()
})

const open = () => openPage(server, `/host/users?user=${amina.id}`, { ...host, role: 'host' })
const shown = () => screen.queryAllByText(/^Recognised in Zoom by the name/).map(({ textContent }) => textContent)

test('a user’s page lists the names in Zoom by which the user is recognised, and forgets one', async () => {
  const { user, refuse } = open()
  const list = within(await screen.findByRole('list', { name: 'Names in Zoom' }))
  expect(shown()).toEqual(['Recognised in Zoom by the name “amina k.”', 'Recognised in Zoom by the name “mina”'])
  refuse('DELETE', /\/zoom-names$/, { times: 1 })
  list.getByRole('button', { name: 'Forget the name mina' }).focus()
  await user.keyboard('{Enter}')
  await expectToast('Failed to forget the name')
  expect(shown()).toHaveLength(2)
  await waitFor(() =>
    expect(list.getByRole('button', { name: 'Forget the name mina' })).toHaveProperty('disabled', false),
  )
  list.getByRole('button', { name: 'Forget the name mina' }).focus()
  await user.keyboard('{Enter}')
  await waitFor(() => expect(shown()).toEqual(['Recognised in Zoom by the name “amina k.”']))
})

test('says nothing of names, and asks nothing, where the server has no seats', async () => {
  site.seat_url = ''
  const { calls } = open()
  await screen.findByText('In the room')
  await screen.findByText('You added amina')
  expect(shown()).toEqual([])
  expect(calls.filter((made) => made.includes('zoom-names'))).toEqual([])
})
