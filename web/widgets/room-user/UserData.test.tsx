import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import type { RoomUser } from '../../../shared/room-users.ts'
import { buildAssistant, buildHost, buildRoomUser, call, type TestHost } from '../../../test/factories/accounts.ts'
import { expectToast, fill, inDialog, openPage, press, savedCount, savedCsv } from '../../../test/pages/page.tsx'
import { setup } from '../../../test/servers/setup.ts'

const server = await setup()
let host: TestHost
let amina: RoomUser
beforeEach(async () => {
  host = await buildHost(server)
  amina = await buildRoomUser(server, host, { username: 'Amina K', reference: 'Row 3' })
})

const path = () => `/host/users?user=${amina.id}`
const open = () => openPage(server, path(), { ...host, role: 'host' })
const panel = async () => within(await screen.findByRole('dialog', { name: 'Amina K' }))
const status = async () => (await call(server, 'GET', `/host/users/${amina.id}`, { as: host })).status

test("a user's data is saved as a file", async () => {
  const { user, refuse } = open()
  const stop = refuse('GET', /\/export$/)
  await (await panel()).findByRole('heading', { name: 'Data' })
  await press(user, 'Export data')
  await expectToast('The file could not be fetched. Please try again.')
  expect(savedCount()).toBe(0)
  stop()
  await press(user, 'Export data')
  const { name, lines } = await savedCsv()
  expect(name).toBe(`person-${amina.id}.json`)
  expect(lines.join('\n')).toContain('Row 3')
})

test('a host erases a user by typing its name, and the panel says that it is gone', async () => {
  const { user } = open()
  await panel()
  await press(user, 'Erase')
  const dialog = await inDialog('Erase this user?')
  fill(dialog.getByLabelText('Username'), 'amina')
  await user.click(dialog.getByRole('button', { name: 'Erase' }))
  await dialog.findByText('Type the username as it is above')
  expect(await status()).toBe(200)
  fill(dialog.getByLabelText('Username'), 'amina k')
  await user.click(dialog.getByRole('button', { name: 'Erase' }))
  await expectToast('The user was erased')
  expect(await status()).toBe(404)
  await screen.findByText('There is no such user')
  await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Erase this user?' })).toBeNull())
})

test('a failure stays in the dialog, which can be cancelled', async () => {
  const { user, refuse } = open()
  await panel()
  refuse('POST', /\/erase$/)
  await press(user, 'Erase')
  const dialog = await inDialog('Erase this user?')
  fill(dialog.getByLabelText('Username'), 'Amina K')
  await user.click(dialog.getByRole('button', { name: 'Erase' }))
  await dialog.findByText('Failed to erase the user. Please try again.')
  await user.click(dialog.getByRole('button', { name: 'Cancel' }))
  await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Erase this user?' })).toBeNull())
  expect(await status()).toBe(200)
})

test('a manager may export, and sees no button to erase', async () => {
  const manager = await buildAssistant(server, host, 'manager', 'Deputy')
  openPage(server, path(), { ...manager, username: 'Deputy', role: 'manager' })
  await (await panel()).findByRole('button', { name: 'Export data' })
  expect(screen.queryByRole('button', { name: 'Erase' })).toBeNull()
})
