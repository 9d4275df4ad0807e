import { screen, waitFor } from '@testing-library/react'
import { describe, expect, test, vi } from 'vitest'
import { call } from '../../../../test/factories/accounts.ts'
import {
  expectNoDialog,
  expectOnline,
  expectState,
  host,
  hostCalls,
  join,
  openOnline,
  passTime,
  pressUntilSent,
  server,
  setupOnline,
  state,
} from '../../../../test/pages/online-page.ts'
import { expectToast, inDialog, press } from '../../../../test/pages/page.tsx'

await setupOnline()

describe('a tile', () => {
  test('mutes and unmutes by its menu, copies credentials, shows details and logs out', async () => {
    const [, ben] = await join('amina', 'ben')
    const { user, choose } = await openOnline()
    await choose('ben', 'Mute')
    await expectState(ben, 'muted')
    await choose('ben', 'Unmute')
    await expectState(ben, 'listening')
    await choose('ben', 'Copy credentials')
    await expectToast('Credentials copied to clipboard')
    expect(await navigator.clipboard.readText()).toContain('Username: ben')
    await choose('ben', 'Details')
    ;(await inDialog('ben')).getByText('U000001')
    await user.keyboard('{Escape}')
    await expectNoDialog()
    await choose('ben', 'Sign out')
    await screen.findByText('ben signed out')
    await expectOnline({ username: 'amina' })
    await waitFor(() => expect(state(ben)).toBeUndefined())
  })

  test('says how long its user has spoken in this meeting, once there is anything to say', async () => {
    const [amina, ben] = await join('amina', 'ben')
    const report = (body: object) => call(server, 'POST', '/mobile/status', { as: amina, body })
    await report({ speaker_on: true, is_speaking: true })
    for (let step = 1; step <= 12; step++) {
      passTime(21_000) // a phone that reports less often is offline
      await report({ is_speaking: step < 12 })
    }
    await call(server, 'POST', '/mobile/status', { as: ben, body: {} })
    const { choose } = await openOnline()
    const tile = document.querySelector(`[data-user-id="${amina?.id}"]`)
    await waitFor(() => expect(tile?.textContent).toBe('aminaSpeaker on4 min, spoke 4 min 12 s in this meeting'))
    expect(screen.getByTitle('Spoke 4 min 12 s in this meeting')).toHaveProperty('ariaLabel', 'Actions for amina')
    expect(document.querySelector(`[data-user-id="${ben?.id}"]`)?.textContent).toBe('benListening')
    await choose('amina', 'Details')
    const details = await inDialog('amina')
    expect(details.getByText('Spoke in this meeting').nextSibling?.textContent).toBe('4 min 12 s')
  })

  test('pins its user, whom Mute All leaves unmuted, until the pin is taken back', async () => {
    const [amina, ben] = await join('amina', 'ben')
    const { enter, choose } = await openOnline()
    await choose('amina', 'Pin through Mute All')
    await expectToast('amina is pinned: Mute All leaves this user as it is')
    await screen.findByTitle('Pinned: Mute All leaves this user as it is')
    const tile = (phone?: { id: string }) => document.querySelector(`[data-user-id="${phone?.id}"]`)?.textContent
    expect([tile(amina), tile(ben)]).toEqual(['aminaListening, pinned', 'benListening'])
    await enter('Mute All')
    await expectState(ben, 'muted')
    expect(tile(amina)).toMatch(/^aminaMay speak, pinned/)
    await choose('amina', 'Unpin')
    await expectToast('amina is no longer pinned')
    await waitFor(() => expect(tile(amina)).not.toContain('pinned'))
  })

  test('deactivates a user only after a question', async () => {
    await join('dina')
    const { user, choose, calls } = await openOnline()
    await choose('dina', 'Deactivate')
    await press(user, 'Cancel', await inDialog('Deactivate dina?'))
    await expectNoDialog()
    expect(hostCalls(calls)).toEqual([])
    await choose('dina', 'Deactivate')
    await press(user, 'Deactivate user', await inDialog('Deactivate dina?'))
    await screen.findByText('dina deactivated')
    await expectOnline()
  })

  test('unmutes by a key, and says that another console was quicker', async () => {
    const [chen] = await join('chen')
    const act = (action: string) => call(server, 'POST', `/host/users/${chen?.id}/${action}`, { as: host })
    await act('mute')
    const { before, enter, choose, calls } = await openOnline()
    const unmute = (times: number) => pressUntilSent(calls, times, () => enter('Unmute chen'), '/unmute')
    const pressedAt = 10_000_000 // later than any real press
    const now = vi.spyOn(performance, 'now').mockReturnValue(pressedAt)
    await unmute(1)
    await expectState(chen, 'listening')
    await enter('Actions for chen') // pressed twice
    await waitFor(() => expect(screen.queryByRole('menu')).toBeNull())
    now.mockReturnValue(pressedAt + 500)
    await choose('chen', 'Mute')
    await expectState(chen, 'muted')
    before('POST', /\/unmute$/, () => act('unmute'))
    await unmute(2)
    await screen.findByText('chen has changed: no longer muted')
    await expectState(chen, 'listening')
    now.mockRestore()
  })
})

describe('Mute all but this one', () => {
  test('is one act from the speaker or the menu, and is undone like Mute All', async () => {
    const [amina, ben, chen] = await join('amina', 'ben', 'chen')
    await call(server, 'POST', `/host/users/${chen?.id}/mute`, { as: host })
    if (amina)
      await call(server, 'POST', '/mobile/status', { as: amina, body: { speaker_on: true, is_speaking: true } })
    const { user, calls, enter, choose } = await openOnline()
    await enter('Mute all but amina')
    await expectState(ben, 'muted')
    await expectState(amina, 'speaking')
    await screen.findByText('Mute All is on')
    await press(user, /^Undo/)
    await expectState(ben, 'listening')
    await expectState(chen, 'muted')
    await waitFor(() => expect(screen.queryByText('Mute All is on')).toBeNull())

    await choose('ben', 'Mute all but this one')
    await expectState(amina, 'muted')
    await screen.findByText('May speak')
    expect(hostCalls(calls)).toEqual([
      'POST /host/trigger-bulk-mute/mute',
      'POST /host/undo-mute-all',
      'POST /host/trigger-bulk-mute/mute',
    ])
  })

  test('says why it failed, and shows the room as it is', async () => {
    await join('amina', 'ben')
    const { refuse, choose } = await openOnline()
    refuse('POST', /^\/host\/trigger-bulk-mute\/mute$/, { status: 404, message: 'User not found' })
    await choose('amina', 'Mute all but this one')
    await expectToast('User not found')
    await waitFor(() => expect(screen.queryByText('Mute All is on')).toBeNull())
  })
})
