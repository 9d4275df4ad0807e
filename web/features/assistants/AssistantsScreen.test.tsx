import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import { buildAssistant, buildHost, buildRoomUser, call, type TestHost } from '../../../test/factories/accounts.ts'
import { expectToast, fill, openPage, press } from '../../../test/pages/page.tsx'
import { setup } from '../../../test/servers/setup.ts'

const server = await setup()
let host: TestHost
beforeEach(async () => {
  host = await buildHost(server)
})
const openAssistants = () => openPage(server, '/host/assistants', { ...host, role: 'host' })
const listed = async () =>
  (await call(server, 'GET', '/host/assistants', { as: host })).body.data.assistants as { name: string; role: string }[]

test('a host adds an assistant, and gets its invitation link', async () => {
  const { user } = openAssistants()
  await screen.findByText('No assistants yet')
  await press(user, 'Add assistant')
  const dialog = within(await screen.findByRole('dialog', { name: 'Add assistant' }))
  fill(dialog.getByLabelText('Name'), 'a@b')
  await user.click(dialog.getByRole('button', { name: 'Add assistant' }))
  await dialog.findByText('The name must not hold an @')
  fill(dialog.getByLabelText('Name'), 'Deputy')
  await user.selectOptions(dialog.getByLabelText('Role'), 'Manager')
  await user.click(dialog.getByRole('button', { name: 'Add assistant' }))
  await dialog.findByRole('button', { name: 'Copy invitation link' })
  dialog.getByText(`Deputy@${host.username}`)
  expect(dialog.getByText(/\/link#/).textContent).toMatch(/\/link#[\w-]{20,}$/)
  await user.click(dialog.getByRole('button', { name: 'Done' }))
  await screen.findByText(/^Invited until /)
  expect(await listed()).toMatchObject([{ name: 'Deputy', role: 'manager' }])
})

test('a host changes the role, makes a new link, and removes an assistant', async () => {
  const deputy = await buildAssistant(server, host, 'moderator', 'Deputy')
  const { user } = openAssistants()
  const role = await screen.findByRole('combobox', { name: 'Role of Deputy' })
  await user.selectOptions(role, 'Manager')
  await press(user, 'Change role')
  await expectToast('Deputy is a manager now')
  expect(await listed()).toMatchObject([{ role: 'manager' }])
  expect((await call(server, 'GET', '/account', { as: deputy })).status).toBe(401)

  await press(user, 'New link')
  await screen.findByRole('button', { name: 'Copy invitation link' })
  await user.click(screen.getByRole('button', { name: 'Remove' }))
  const question = within(await screen.findByRole('dialog', { name: 'Remove Deputy?' }))
  await user.click(question.getByRole('button', { name: 'Remove' }))
  await expectToast('Deputy removed')
  await screen.findByText('No assistants yet')
})

const links = () =>
  within(screen.getByRole('navigation', { name: 'Admin Panel' }))
    .getAllByRole('link')
    .map(({ textContent }) => textContent)

const refusedCalls = () =>
  server.deps.db
    .selectFrom('audit')
    .select('after')
    .where('host_id', '=', host.id)
    .where('action', '=', 'access_refused')
    .execute()

test('a moderator has the Online page alone, without a call that is refused', async () => {
  const deputy = await buildAssistant(server, host, 'moderator')
  await buildRoomUser(server, host)
  openPage(server, '/host', { ...deputy, username: deputy.login_name, role: 'moderator' })
  await screen.findByRole('heading', { name: 'Online Users', level: 1 })
  await waitFor(() => expect(links()).toEqual(['Online']))
  await screen.findByText('No users are currently online')
  expect(screen.queryByRole('button', { name: /New phones/ })).toBeNull()
  expect(screen.queryByRole('link', { name: /Add users/ })).toBeNull()
  expect(await refusedCalls()).toEqual([])
})

test("a manager's pages are all but the host's own", async () => {
  const deputy = await buildAssistant(server, host, 'manager')
  openPage(server, '/host', { ...deputy, username: deputy.login_name, role: 'manager' })
  await screen.findByRole('heading', { name: 'Dashboard', level: 1 })
  await waitFor(() =>
    expect(links()).toEqual([
      'Dashboard',
      'Users Master',
      'Online',
      'Rooms Master',
      'Cloud Recordings',
      'Attendance',
      'Downloads',
    ]),
  )
  await screen.findByText('Total Users')
  expect(await refusedCalls()).toEqual([])
})
