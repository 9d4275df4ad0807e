import { screen, waitFor } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import { buildHost, buildMaster, buildPhone, buildRoomUser, type TestHost } from '../../../test/factories/accounts.ts'
import { fill, inDialog, openPage, press } from '../../../test/pages/page.tsx'
import { buildZoomHost, setupWithZoom } from '../../../test/zoom/emulated-zoom.ts'
import { receiveWebhooks } from '../../../test/zoom/webhooks.ts'
import { chooseScheme } from '../../ui/base/color-scheme.ts'
import { useStartProgress } from '../../widgets/meeting/start-meeting.ts'

let now = Date.now()
let host: TestHost

const server = await setupWithZoom({ now: () => now })
beforeEach(async () => {
  useStartProgress.setState({ phase: 'idle' }, true)
  chooseScheme('light')
  host = await buildZoomHost(server)
  await receiveWebhooks(server)
})

const open = (path: string, as = host) => openPage(server, path, { ...as, role: 'host' })

/** Returns the results of the search for these words, once the last of them has arrived. */
async function search(user: ReturnType<typeof open>['user'], words: string) {
  if (!screen.queryByRole('combobox', { name: /^Go to a page/ })) await press(user, /^Search/)
  fill(await screen.findByRole('combobox', { name: /^Go to a page/ }), words)
  await screen.findByRole('option', { name: `Search the documentation for “${words}”` })
}
const option = (name: string | RegExp) => screen.findByRole('option', { name })
const noOption = (name: string) => expect(screen.queryByRole('option', { name })).toBeNull()

test('starts the meeting in a window of its own, and shows the link where the browser blocks it', async () => {
  const openWindow = vi.fn(() => null)
  vi.stubGlobal('open', openWindow)
  const { user, calls } = open('/host/log')
  await search(user, 'start')
  await user.click(await option('Start meeting'))
  await screen.findByRole('link', { name: 'Open Zoom' })
  expect(openWindow).toHaveBeenCalledTimes(1)
  expect(calls.filter((call) => call === 'POST /host/room/start')).toHaveLength(1)
  expect(window.location.pathname).toBe('/host/rooms')
})

test('ends the meeting that runs, after the question of the button, and offers no second start', async () => {
  now += 1000
  await server.control(`/meetings/${host.rooms[0]?.zoom_meeting_id}/start`, {})
  const { user, calls } = open('/host/rooms')
  await screen.findByRole('button', { name: 'End meeting' })
  await search(user, 'meeting')
  await option('Open in Zoom')
  noOption('Start meeting')
  await user.click(await option('End meeting'))
  const question = await inDialog('End the meeting?')
  await user.click(question.getByRole('button', { name: 'End meeting' }))
  await waitFor(() => expect(calls).toContain('POST /host/room/end'))
  await screen.findByRole('button', { name: 'Start meeting' })
})

test('ends the meeting from another page on Rooms Master, after the same question', async () => {
  now += 1000
  await server.control(`/meetings/${host.rooms[0]?.zoom_meeting_id}/start`, {})
  const { user, calls } = open('/host/log')
  await search(user, 'meeting end')
  await user.click(await option(/^End meeting/))
  const question = await inDialog('End the meeting?')
  expect(window.location.pathname).toBe('/host/rooms')
  expect(calls).not.toContain('POST /host/room/end')
  await user.click(question.getByRole('button', { name: 'End meeting' }))
  await screen.findByRole('button', { name: 'Start meeting' })
  expect(calls.filter((call) => call === 'POST /host/room/end')).toHaveLength(1)
  await search(user, 'end meeting')
  noOption('End meeting')
})

test('offers nothing of the meeting where no Zoom is connected', async () => {
  const { user } = open('/host/rooms', await buildHost(server))
  await screen.findByText('Zoom is not connected to your room')
  await search(user, 'meeting')
  await option('Rooms Master')
  noOption('Start meeting')
  noOption('End meeting')
})

test('a master changes the colours, and is offered nothing of a room', async () => {
  const { user, calls } = openPage(server, '/master/hosts', { ...(await buildMaster(server)), role: 'master' })
  await search(user, 'start')
  noOption('Start meeting')
  await search(user, 'dark')
  await user.click(await option('Use dark colours'))
  expect(document.documentElement.getAttribute('data-mantine-color-scheme')).toBe('dark')
  await search(user, 'theme')
  await option('Use light colours')
  expect(calls.filter((call) => call.startsWith('GET /host/'))).toEqual([])
})

test('Mute All and Unmute All are offered on Online, as their buttons are', async () => {
  const phone = await buildPhone(server, host, await buildRoomUser(server, host, { username: 'Ana' }))
  const { user, calls } = open('/host/online')
  await waitFor(() => expect(screen.getByRole('button', { name: 'Mute All' })).toHaveProperty('disabled', false))
  await waitFor(() => expect(document.querySelector(`[data-user-id="${phone.id}"]`)).not.toBeNull())
  await search(user, 'mute all')
  await user.click(await option('Mute All'))
  await waitFor(() => expect(calls).toContain('POST /host/trigger-bulk-mute/mute'))
  await waitFor(() => expect(screen.getByRole('button', { name: 'Mute All' }).hasAttribute('data-on')).toBe(true))
})

test('Mute All is not offered on other pages while no one is online, where the search finds Online', async () => {
  const { user } = open('/host/log')
  await search(user, 'mute all')
  await option('Online')
  noOption('Mute All')
  noOption('Unmute All')
})

test('“invite” and part of a name opens the invitation of that user', async () => {
  await buildRoomUser(server, host, { username: 'Zoë Lindqvist' })
  const { user } = open('/host/dashboard')
  await search(user, 'invite lindq')
  await user.click(await option(/^Invite Zoë Lindqvist/))
  await screen.findByRole('dialog', { name: 'Invite Zoë Lindqvist' })
})

test('searches the documentation in a tab of its own', async () => {
  const openWindow = vi.fn()
  vi.stubGlobal('open', openWindow)
  const { user } = open('/host/dashboard')
  await search(user, 'lost phone')
  await user.click(await option('Search the documentation for “lost phone”'))
  expect(openWindow).toHaveBeenCalledExactlyOnceWith(
    expect.stringMatching(/\/documentation\?search=lost\+phone$/),
    '_blank',
    'noopener',
  )
})
