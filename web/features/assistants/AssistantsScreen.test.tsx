import { screen, waitFor, within } from '@testing-library/react'
import type { UserEvent } from '@testing-library/user-event'
import { beforeEach, expect, test, vi } from 'vitest'
import { buildAssistant, buildHost, buildRoomUser, call, type TestHost } from '../../../test/factories/accounts.ts'
import { addTotp } from '../../../test/factories/second-factor.ts'
import { expectToast, fill, inDialog, openPage, press } from '../../../test/pages/page.tsx'
import { setup } from '../../../test/servers/setup.ts'

const server = await setup()
let host: TestHost
beforeEach(async () => {
  host = await buildHost(server)
})
const openAssistants = () => openPage(server, '/host/assistants', { ...host, role: 'host' })
/** Presses Enter, since a click on a line that has just appeared is ignored. */
async function pressLine(user: UserEvent, name: string) {
  ;(await screen.findByRole('button', { name })).focus()
  await user.keyboard('{Enter}')
}
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

  await pressLine(user, 'New link')
  await screen.findByRole('button', { name: 'Copy invitation link' })
  await pressLine(user, 'Remove')
  await press(user, 'Remove', await inDialog('Remove Deputy?'))
  await expectToast('Deputy removed')
  await screen.findByText('No assistants yet')
  expect(document.activeElement).toBe(screen.getByRole('heading', { name: 'Assistants', level: 1 }))
})

test('a host renames an assistant, who signs in with the new name', async () => {
  const [deputy, other] = [
    await buildAssistant(server, host, 'moderator', 'Deputy'),
    await buildAssistant(server, host, 'manager', 'Zoya'),
  ]
  const { user, before } = openAssistants()
  await pressLine(user, 'More actions for Deputy')
  expect((await screen.findAllByRole('menuitem')).map(({ textContent }) => textContent)).toEqual(['Rename'])
  await user.click(await screen.findByRole('menuitem', { name: 'Rename' }))
  const dialog = await inDialog('Rename Deputy')
  fill(dialog.getByLabelText('Name'), 'd')
  await press(user, 'Rename', dialog)
  await dialog.findByText('The name must have 2 to 32 characters')
  fill(dialog.getByLabelText('Name'), 'zoya')
  await press(user, 'Rename', dialog)
  await dialog.findByText('An assistant of this room has this name already')
  before('PUT', /assistants/, () => call(server, 'DELETE', `/host/assistants/${other.id}`, { as: host }))
  await press(user, 'Rename', dialog)
  await expectToast('Deputy is zoya now')
  await screen.findByText(`zoya@${host.username}`)
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'More actions for zoya' }))
  expect((await call(server, 'GET', '/account', { as: deputy })).status).toBe(200)
})

test('a host makes a link that removes the second factor of an assistant who has one', async () => {
  const deputy = await buildAssistant(server, host, 'moderator', 'Deputy')
  await addTotp(server, deputy)
  const { user, refuse } = openAssistants()
  await pressLine(user, 'More actions for Deputy')
  const restore = refuse('POST', /invite-link/)
  await user.click(await screen.findByRole('menuitem', { name: 'New link, without second factor' }))
  await expectToast('Failed to make a link')
  restore()
  await pressLine(user, 'More actions for Deputy')
  await user.click(await screen.findByRole('menuitem', { name: 'New link, without second factor' }))
  await screen.findByText(/The second factor is removed then/)
  const token = screen.getByText(/\/link#/).textContent.split('#')[1]
  const looked = await call(server, 'POST', '/auth/links/look', { body: { token } })
  expect(looked.body.data).toMatchObject({ account: deputy.login_name, removes_second_factor: true })

  await pressLine(user, 'New link')
  await waitFor(() => expect(screen.queryByText(/The second factor is removed then/)).toBeNull())
})

test('a removal counts as done where the list shows it, though no answer came, and where it was done before', async () => {
  const [one, other] = [await buildAssistant(server, host, 'moderator'), await buildAssistant(server, host, 'manager')]
  const { user, loseAnswer, before } = openAssistants()
  await waitFor(() => expect(screen.getAllByRole('button', { name: 'Remove' })).toHaveLength(2))
  const removeFirst = async () => {
    screen.getAllByRole('button', { name: 'Remove' })[0]?.focus()
    await user.keyboard('{Enter}')
    await press(user, 'Remove', within(await screen.findByRole('dialog', { name: /^Remove / })))
  }
  loseAnswer('DELETE', /assistants/, 502)
  await removeFirst()
  await waitFor(() => expect(screen.getAllByRole('button', { name: 'Remove' })).toHaveLength(1))
  await waitFor(() => expect(window.shownToasts.splice(0)).toEqual([expect.stringMatching(/ removed$/)]))
  before('DELETE', /assistants/, async () => {
    for (const { id } of [one, other]) await call(server, 'DELETE', `/host/assistants/${id}`, { as: host })
  })
  await removeFirst()
  await screen.findByText('No assistants yet')
  await waitFor(() => expect(window.shownToasts.splice(0)).toEqual([expect.stringMatching(/ removed$/)]))
})

test('a click on a line that has just appeared is ignored', async () => {
  await buildAssistant(server, host, 'moderator')
  vi.spyOn(performance, 'now').mockReturnValue(0) // no time passes until the click
  const { user } = openAssistants()
  await user.click(await screen.findByRole('button', { name: 'Remove' }))
  expect(screen.queryByRole('dialog')).toBeNull()
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
      'Meetings',
      'Downloads',
    ]),
  )
  await screen.findByText('Total Users')
  expect(await refusedCalls()).toEqual([])
})
