import { act, screen, waitFor, within } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import { buildAssistant, buildRoomUser, call } from '../../../test/factories/accounts.ts'
import {
  expectOnline,
  expectQueue,
  host,
  join,
  pressUntilSent,
  raiseHand,
  server,
  setupOnline,
} from '../../../test/pages/online-page.ts'
import { expectToast, fill, inDialog, openPage, type Page, passTime, press } from '../../../test/pages/page.tsx'

await setupOnline()

const openDashboard = () => openPage(server, '/host/dashboard', { ...host, role: 'host' })
const sent = ({ calls }: Page, path: RegExp) => calls.filter((made) => made.startsWith('POST') && path.test(made))

/** Returns the names of the acts and pages found for these words, once all have arrived. */
async function search({ user }: Page, words: string) {
  if (!screen.queryByRole('combobox', { name: /^Go to a page/ })) await press(user, /^Search/)
  fill(await screen.findByRole('combobox', { name: /^Go to a page/ }), words)
  await screen.findByRole('option', { name: `Search the documentation for “${words}”` })
  const found = within(screen.getByRole('listbox', { name: 'Found' }))
  return found.getAllByRole('option').map(({ textContent }) => textContent)
}
const choose = async ({ user }: Page, name: RegExp) => user.click(await screen.findByRole('option', { name }))

describe('one user', () => {
  test('is muted and unmuted by name, in either order, from any page', async () => {
    await join('Priya', 'Omar')
    await buildRoomUser(server, host, { username: 'Priyanka' }) // not online
    const page = openDashboard()
    expect(await search(page, 'mute pri')).toEqual(['Mute PriyaU000000', expect.stringContaining('documentation')])
    await choose(page, /^Mute Priya/)
    await expectToast('Priya muted')
    await expectOnline({ username: 'Omar', is_muted: false }, { username: 'Priya', is_muted: true })
    expect(window.location.pathname).toBe('/host/dashboard')

    await waitFor(async () => expect(await search(page, 'mute pri')).not.toContain('Mute PriyaU000000'))
    expect((await search(page, 'PRI unmute'))[0]).toBe('Unmute PriyaU000000')
    await choose(page, /^Unmute Priya/)
    await expectToast('Priya unmuted')
    await expectOnline({ username: 'Omar' }, { username: 'Priya', is_muted: false })
  })

  test('whose name begins with the words comes before one that contains them', async () => {
    await join('Joanna', 'Anna')
    const found = await search(openDashboard(), 'mute ann')
    expect(found.slice(0, 2)).toEqual(['Mute AnnaU000001', 'Mute JoannaU000000'])
  })

  test('is muted once, and a second press while the search closes does nothing', async () => {
    await join('Priya', 'Priyanka')
    const page = openDashboard()
    await search(page, 'mute pri')
    const [priya, priyanka] = screen.getAllByRole('option', { name: /^Mute Pri/ })
    act(() => {
      for (const pressed of [priya, priya, priyanka]) pressed?.click()
    })
    await expectToast('Priya muted')
    expect(sent(page, /mute/)).toHaveLength(1)
    await expectOnline({ username: 'Priya', is_muted: true }, { username: 'Priyanka', is_muted: false })
  })

  test('is found by a moderator too, who is offered nothing of other pages', async () => {
    const [phone] = await join('Priya')
    if (phone) await raiseHand(phone)
    const moderator = await buildAssistant(server, host, 'moderator', 'Deputy')
    const page = openPage(server, '/host/account', { ...moderator, role: 'moderator' })
    expect(await search(page, 'end meeting')).toHaveLength(1)
    expect((await search(page, 'next'))[0]).toBe('Next speakeron Online')
    await search(page, 'mute pri')
    await choose(page, /^Mute Priya/)
    await expectToast('Priya muted')
    expect(page.calls).not.toContain('GET /host/users')
    expect(page.calls).not.toContain('GET /host/room')
  })
})

describe('all users', () => {
  test('are muted from another page on Online, once, and not again by Back and Forward', async () => {
    await join('Priya')
    const page = openDashboard()
    expect((await search(page, 'all mute')).slice(0, 2)).toEqual(['Mute Allon Online', 'Unmute Allon Online'])
    await choose(page, /^Mute All/)
    await screen.findByText('Mute All is on')
    expect(window.location.pathname).toBe('/host/online')
    await call(server, 'POST', '/host/trigger-bulk-mute/unmute', { as: host })
    await screen.findByText('Mute All is off')
    for (const [move, path] of [
      [-1, '/host/dashboard'],
      [1, '/host/online'],
    ] as const) {
      act(() => window.history.go(move))
      await waitFor(() => expect(window.location.pathname).toBe(path))
    }
    await screen.findByText('Mute All is off')
    await waitFor(() => expect(screen.getByRole('button', { name: 'Mute All' })).toHaveProperty('disabled', false))
    expect(sent(page, /bulk-mute/)).toEqual(['POST /host/trigger-bulk-mute/mute'])
  })

  test('of more than ten are unmuted only after the question of the page', async () => {
    await join(...Array.from({ length: 11 }, (_, index) => `person ${index}`))
    const page = openDashboard()
    await search(page, 'unmute all')
    await choose(page, /^Unmute All/)
    await press(page.user, 'Cancel', await inDialog('Unmute 11 users?'))
    expect(sent(page, /bulk-mute/)).toEqual([])
  })

  test('are left alone, with a message, where the page is not ready in time', async () => {
    await join('Priya')
    const page = openDashboard()
    await search(page, 'mute all')
    const held = Promise.withResolvers<void>()
    // One for the search, which may read the room once more, and one for the page.
    for (const _ of ['search', 'page']) page.before('GET', /^\/host\/online-users/, () => held.promise)
    await passTime(10_000, () => choose(page, /^Mute All/))
    await expectToast('Mute All was not done, since the page was not ready for it.')
    held.resolve()
    await screen.findByText('Mute All is off')
    await waitFor(() => expect(screen.getByRole('button', { name: 'Mute All' })).toHaveProperty('disabled', false))
    expect(sent(page, /bulk-mute/)).toEqual([])
  })
})

test('the next speaker is offered while a hand is raised, here and on Online', async () => {
  const [priya, omar] = await join('Priya', 'Omar')
  const page = openDashboard()
  expect(await search(page, 'next speaker')).toHaveLength(1)
  if (priya) await raiseHand(priya)
  await screen.findByRole('option', { name: /^Next speaker/ })
  await choose(page, /^Next speaker/)
  await expectOnline({ username: 'Omar' }, { username: 'Priya', wants_to_speak: false })
  await expectQueue()
  if (omar) await raiseHand(omar)
  await expectQueue(/Omar/)
  await pressUntilSent(page.calls, 2, async () => {
    expect((await search(page, 'speaker next'))[0]).toBe('Next speaker')
    await choose(page, /^Next speaker/)
  })
  await expectOnline({ username: 'Omar', wants_to_speak: false }, { username: 'Priya' })
})
