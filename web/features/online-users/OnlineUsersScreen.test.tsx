import { cleanup, screen, waitFor, within } from '@testing-library/react'
import { describe, expect, test, vi } from 'vitest'
import { buildRoomUser, call } from '../../../test/factories/accounts.ts'
import {
  expectNoDialog,
  expectOnline,
  expectQueue,
  expectState,
  host,
  hostCalls,
  join,
  openOnline,
  raiseHand,
  server,
  setupOnline,
} from '../../../test/pages/online-page.ts'
import { expectToast, inDialog, press } from '../../../test/pages/page.tsx'

await setupOnline()

describe('Mute All, Unmute All and Logout All', () => {
  test('ask first where they open or empty a room of more than ten', async () => {
    const names = Array.from({ length: 11 }, (_, index) => `person ${index}`)
    await join(...names)
    const { user, calls } = await openOnline()
    await press(user, 'Mute All')
    await screen.findByText('Mute All is on')
    await expectOnline(...names.map(() => ({ is_muted: true })))

    await press(user, 'Unmute All')
    await press(user, 'Cancel', await inDialog('Unmute 11 users?'))
    await expectNoDialog()
    await press(user, 'Logout All')
    await press(user, 'Cancel', await inDialog('Sign out 11 users?'))
    await expectNoDialog()
    await press(user, 'Unmute All')
    await press(user, 'Unmute All', await inDialog('Unmute 11 users?'))
    await expectOnline(...names.map(() => ({ is_muted: false })))
    await press(user, 'Logout All')
    await press(user, 'Logout All', await inDialog('Sign out 11 users?'))
    await expectToast('11 users signed out')
    await screen.findByText('No users are currently online')
    expect(hostCalls(calls).slice(0, 3)).toEqual([
      'POST /host/trigger-bulk-mute/mute',
      'POST /host/trigger-bulk-mute/unmute',
      'POST /host/users/bulk/logout',
    ])
  })

  test('a stopped room says why no one is online', async () => {
    await call(server, 'POST', '/host/profile/stop', { as: host })
    await openOnline()
    await screen.findByText('Your room is stopped: no phone can sign in until you activate it on Host Master.')
    expect(within(screen.getByRole('main')).getByRole('link', { name: 'Host Master' })).toBeTruthy()
  })

  test('say that no one is online', async () => {
    const { user, calls } = await openOnline()
    await screen.findByText('No users are currently online')
    for (const name of ['Mute All', 'Unmute All', 'Logout All']) {
      await press(user, name)
      await expectToast('No users to perform action on')
    }
    await press(user, 'Refresh')
    await waitFor(() => expect(hostCalls(calls)).toEqual(['POST /host/cleanup-stale-users']))
  })

  test('show a Mute All on the tiles at once, say that it is under way, and take it back when it fails', async () => {
    await join('amina')
    const { user, refuse, before } = await openOnline()
    refuse('POST', /^\/host\/trigger-bulk-mute\/mute$/, { status: 0 })
    before('POST', /^\/host\/trigger-bulk-mute\/mute$/, async () => {
      await screen.findByText('May speak')
      screen.getByText('Mute All is off')
      await screen.findByText('Turning Mute All on…')
    })
    await press(user, 'Mute All')
    await expectToast(
      'Failed to mute users. There is no connection to Parley. It may still happen; this page shows it then.',
    )
    await screen.findByText('Mute All is off')
    await waitFor(() => expect(screen.queryByText('May speak')).toBeNull())
  })

  test('undo a Mute All, but not the single mute before it', async () => {
    const [amina, ben] = await join('amina', 'ben')
    await call(server, 'POST', `/host/users/${amina?.id}/mute`, { as: host })
    const { user } = await openOnline()
    await expectState(amina, 'muted')
    await press(user, 'Mute All')
    await expectState(ben, 'muted')
    await press(user, /^Undo/)
    await waitFor(() => expect(screen.queryByRole('button', { name: /^Undo/ })).toBeNull())
    await expectState(ben, 'listening')
    await expectState(amina, 'muted')
    await expectOnline({ username: 'amina', is_muted: true }, { username: 'ben', is_muted: false })
    expect(screen.queryByText('Mute All is on')).toBeNull()
  })
})

test('Undo is over when its answer is lost, but the room shows that it was done', async () => {
  const [amina] = await join('amina')
  const { user, calls, loseAnswer } = await openOnline()
  await press(user, 'Mute All')
  await expectState(amina, 'muted')
  loseAnswer('POST', /^\/host\/undo-mute-all$/)
  await press(user, /^Undo/)
  await waitFor(() => expect(screen.queryByRole('button', { name: /^Undo/ })).toBeNull())
  await expectState(amina, 'listening')
  expect(window.shownToasts).toEqual([])
  expect(hostCalls(calls).filter((act) => act.endsWith('undo-mute-all'))).toHaveLength(1)
})

test('Undo stays when it has not reached the server', async () => {
  const [amina] = await join('amina')
  const { user, refuse } = await openOnline()
  await press(user, 'Mute All')
  await expectState(amina, 'muted')
  refuse('POST', /^\/host\/undo-mute-all$/, { status: 0, times: 1 })
  await press(user, /^Undo/)
  await expectToast(
    'Failed to unmute users. There is no connection to Parley. It may still happen; this page shows it then.',
  )
  await press(user, /^Undo/)
  await expectState(amina, 'listening')
})

test('a tile keeps the focus while the connection is lost, and a press does nothing', async () => {
  await join('amina')
  const { user, calls, refuse } = await openOnline()
  await press(user, 'Mute All')
  const tile = await screen.findByRole('button', { name: 'Unmute amina' })
  tile.focus()
  const restore = refuse('GET', /^\/host\/online-users/, { status: 0 })
  await waitFor(() => expect(tile.getAttribute('aria-disabled')).toBe('true'), { timeout: 10_000 })
  for (const name of ['Unmute amina', 'Actions for amina']) await user.click(screen.getByRole('button', { name }))
  expect(hostCalls(calls)).toEqual(['POST /host/trigger-bulk-mute/mute'])
  expect(screen.queryByRole('menu')).toBeNull()
  tile.focus()
  await user.keyboard('{Enter}')
  restore()
  await waitFor(() => expect(tile.getAttribute('aria-disabled')).toBeNull(), { timeout: 10_000 })
  expect(document.activeElement).toBe(tile)
  expect(hostCalls(calls)).toEqual(['POST /host/trigger-bulk-mute/mute'])
})

test('Undo leaves the room alone once another console has muted it again, and says so', async () => {
  const [amina] = await join('amina')
  const { user } = await openOnline()
  await press(user, 'Mute All')
  await expectState(amina, 'muted')
  for (const action of ['unmute', 'mute']) await call(server, 'POST', `/host/trigger-bulk-mute/${action}`, { as: host })
  await press(user, /^Undo/)
  await expectToast('The room has been muted or unmuted again in the meantime.')
  await expectState(amina, 'muted')
  await screen.findByText('Mute All is on')
})

test('each Mute All has an Undo of its own, which the answer to an earlier one leaves alone', async () => {
  const [amina] = await join('amina')
  const { user, before } = await openOnline()
  await press(user, 'Mute All')
  await expectState(amina, 'muted')
  const held = Promise.withResolvers<void>()
  before('POST', /^\/host\/undo-mute-all$/, () => held.promise)
  await press(user, /^Undo/)
  await call(server, 'POST', `/host/users/${amina?.id}/unmute`, { as: host })
  await expectState(amina, 'listening')
  await press(user, 'Mute All')
  await expectState(amina, 'muted')
  held.resolve()
  await expectToast('The room has been muted or unmuted again in the meantime.')
  await press(user, /^Undo/)
  await expectState(amina, 'listening')
})

test('Undo stays after a second Mute All, which changes nobody', async () => {
  const [amina] = await join('amina')
  const page = await openOnline()
  const { user } = page
  const expectDisabled = (disabled: boolean) =>
    waitFor(() => expect(screen.getByRole('button', { name: 'Unmute All' })).toHaveProperty('disabled', disabled))
  await press(user, 'Mute All')
  await screen.findByRole('button', { name: /^Undo/ })
  await expectDisabled(false)
  const now = performance.now.bind(performance)
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => now() + 1000) // no longer a double click
  const held = Promise.withResolvers<void>()
  page.before('POST', /^\/host\/trigger-bulk-mute\/mute$/, () => held.promise)
  await press(user, 'Mute All')
  await expectDisabled(true)
  held.resolve()
  await expectDisabled(false)
  await press(user, /^Undo/)
  await expectState(amina, 'listening')
  clock.mockRestore()
})

test('Mute All is sent while an earlier Unmute All waits for its answer, which then leaves its Undo alone', async () => {
  const [amina] = await join('amina')
  const { user, calls, holdAnswer } = await openOnline()
  await press(user, 'Mute All')
  await expectState(amina, 'muted')
  const release = holdAnswer('POST', /^\/host\/trigger-bulk-mute\/unmute$/)
  await press(user, 'Unmute All')
  await expectState(amina, 'listening')
  await press(user, 'Mute All')
  await expectState(amina, 'muted')
  await screen.findByRole('button', { name: /^Undo/ })
  release()
  const before = calls.length
  await waitFor(() => expect(calls.length).toBeGreaterThan(before + 1)) // two polls later
  await press(user, /^Undo/)
  await expectState(amina, 'listening')
})

test('a mute is sent again while the first waits for its answer, since another console may have unmuted', async () => {
  const [amina] = await join('amina')
  const { holdAnswer, choose } = await openOnline()
  holdAnswer('POST', /^\/host\/users\/[^/]+\/mute$/)
  await choose('amina', 'Mute')
  await expectState(amina, 'muted')
  await call(server, 'POST', `/host/users/${amina?.id}/unmute`, { as: host })
  await expectState(amina, 'listening')
  const now = performance.now.bind(performance)
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => now() + 1000) // no longer a double click
  await choose('amina', 'Mute')
  await expectState(amina, 'muted')
  clock.mockRestore()
})

test('the Undo of the newest Mute All stays when the answer to an older one comes late', async () => {
  const [amina, ben] = await join('amina', 'ben')
  const { user, calls, holdAnswer, choose } = await openOnline()
  const release = holdAnswer('POST', /^\/host\/trigger-bulk-mute\/mute$/)
  await press(user, 'Mute All')
  for (const phone of [amina, ben]) {
    await expectState(phone, 'muted')
    await call(server, 'POST', `/host/users/${phone?.id}/unmute`, { as: host })
    await expectState(phone, 'listening')
  }
  await choose('amina', 'Mute all but this one')
  await expectState(ben, 'muted')
  await screen.findByRole('button', { name: /^Undo/ })
  release()
  const before = calls.length
  await waitFor(() => expect(calls.length).toBeGreaterThan(before + 1)) // two polls later
  await press(user, /^Undo/)
  await expectState(ben, 'listening')
})

describe('an empty room', () => {
  test('leads to what comes next, and has no hint about tiles', async () => {
    await openOnline()
    await screen.findByText(/^Your room has no users yet\./)
    expect(screen.getByRole('link', { name: 'Add users' }).getAttribute('href')).toBe('/host/users')
    expect(screen.queryByText(/^Click a muted user/)).toBeNull()
    cleanup()
    await buildRoomUser(server, host)
    await openOnline()
    await screen.findByText(/^Your room has 1 user\./)
    expect(screen.getByRole('link', { name: 'Send sign-in details' }).getAttribute('href')).toBe('/host/users')
  })
})

test('reports each action that fails, with the message of the server if there is one', async () => {
  const [amina, ben] = await join('amina', 'ben')
  if (ben) await raiseHand(ben)
  const { user, refuse, enter, choose } = await openOnline()
  await expectQueue(/ben/)
  refuse('POST', /^\/host\/trigger-bulk-mute\/mute$/, { status: 503, message: 'Too busy just now.' })
  refuse('POST', /^\/host\//, { status: 0 })
  const noAnswer = 'There is no connection to Parley. It may still happen; this page shows it then.'
  for (const [item, text] of [
    ['Mute', `Failed to mute user. ${noAnswer}`],
    ['Copy credentials', 'Failed to copy credentials. There is no connection to Parley.'],
    ['Sign out', `Failed to logout user. ${noAnswer}`],
  ] as const) {
    await choose('amina', item)
    await expectToast(text)
  }
  await enter('Lower the hand of ben')
  await expectToast(`Failed to lower the hand. ${noAnswer}`)
  for (const [name, text] of [
    ['Mute All', 'Too busy just now.'],
    ['Unmute All', `Failed to unmute users. ${noAnswer}`],
    ['Logout All', `Failed to logout users. ${noAnswer}`],
    ['Refresh', `Failed to refresh data. ${noAnswer}`],
  ] as const) {
    await press(user, name)
    await expectToast(text)
  }
  await expectState(amina, 'listening')
  await expectQueue(/ben/)
})
