import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { call } from '../../../../test/factories/accounts.ts'
import {
  expectQueue,
  host,
  join,
  listOnlineUsers,
  openOnline,
  pressUntilSent,
  raiseHand,
  server,
  setupOnline,
} from '../../../../test/pages/online-page.ts'
import { expectToast } from '../../../../test/pages/page.tsx'

await setupOnline()

const speakers = () => within(screen.getByRole('list', { name: 'Speaking now' })).getAllByRole('listitem')

test('the floor has a clock beside its limit, which the host sets where the hands are', async () => {
  const [amina] = await join('amina', 'ben')
  await call(server, 'POST', '/host/trigger-bulk-mute/mute', { as: host, body: {} })
  if (amina) await raiseHand(amina)
  const { enter, user, calls } = await openOnline()
  await expectQueue(/amina/)
  await enter('Change the time for each turn')
  const limit = await screen.findByRole('combobox', { name: 'Time for each turn' })
  await user.selectOptions(limit, '5 minutes')
  await user.click(await screen.findByRole('checkbox', { name: 'Mute at the end' }))
  const saved = async () => (await call(server, 'GET', '/host/online-users', { as: host })).body.turn_limit
  await expect.poll(saved).toEqual({ minutes: 5, mutes: true })
  await enter('Done')
  await screen.findByText('Each turn: 5 min, then muted')
  await pressUntilSent(calls, 1, () => enter('Next'))
  await waitFor(() =>
    expect(speakers().map(({ textContent }) => textContent)).toEqual([
      expect.stringMatching(/^aminahas the floor for 0:0\d of {2}\/ 5:00$/),
    ]),
  )
  await enter('Mute amina')
  await screen.findByText('No one is speaking')
  expect((await listOnlineUsers()).map(({ is_muted }) => is_muted)).toEqual([true, true])
  await enter('Change the time for each turn')
  await user.selectOptions(await screen.findByRole('combobox', { name: 'Time for each turn' }), 'No limit')
  await expect.poll(saved).toEqual({ minutes: null, mutes: false })
  await enter('Done')
  await screen.findByText('Each turn: no limit')
})

test('a limit that could not be saved is shown as it was, with the reason', async () => {
  await join('amina')
  const { user, enter, ...page } = await openOnline()
  page.refuse('PUT', /\/turn-limit$/, { status: 503, message: 'The room is busy. Please try again.' })
  await enter('Change the time for each turn')
  const limit = await screen.findByRole('combobox', { name: 'Time for each turn' })
  await user.selectOptions(limit, '5 minutes')
  await expectToast('The room is busy. Please try again.')
  await waitFor(() => expect(limit).toHaveProperty('value', ''))
})
