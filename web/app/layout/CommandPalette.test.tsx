import { cleanup, screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { buildHost, buildRoomUser } from '../../../test/factories/accounts.ts'
import { fill, openPage, press } from '../../../test/pages/page.tsx'
import { setup } from '../../../test/servers/setup.ts'

const server = await setup()

test('the search finds pages under other words too, and users by name', async () => {
  const host = await buildHost(server)
  await buildRoomUser(server, host, { username: 'Zoë Lindqvist' })
  const { user } = openPage(server, '/host/dashboard', { ...host, role: 'host' })
  await press(user, /^Search/)
  const field = await screen.findByRole('combobox', { name: 'Go to a page or a user' })
  for (const [words, page] of [
    ['attend', 'Attendance'],
    ['absent', 'Attendance'],
    ['log', 'Log'],
    ['audit', 'Log'],
    ['mute', 'Online'],
    ['record', 'Cloud Recordings'],
  ] as const) {
    fill(field, words)
    await screen.findByRole('option', { name: page })
  }
  fill(field, 'lindq')
  await screen.findByRole('option', { name: /^Zoë Lindqvist/ })
  fill(field, 'absent')
  await user.click(await screen.findByRole('option', { name: 'Attendance' }))
  await waitFor(() => expect(window.location.pathname).toBe('/host/attendance'))
})

test('the search is closed and empty when somebody signs in after it was left open', async () => {
  const host = await buildHost(server)
  const { user } = openPage(server, '/host/dashboard', { ...host, role: 'host' })
  await press(user, /^Search/)
  fill(await screen.findByRole('combobox', { name: 'Go to a page or a user' }), 'lindq')
  cleanup()
  const next = openPage(server, '/host/dashboard', { ...host, role: 'host' })
  await screen.findByRole('heading', { name: 'Dashboard' })
  expect(screen.queryByRole('combobox', { name: 'Go to a page or a user' })).toBeNull()
  await press(next.user, /^Search/)
  const field = await screen.findByRole<HTMLInputElement>('combobox', { name: 'Go to a page or a user' })
  expect(field.value).toBe('')
})
