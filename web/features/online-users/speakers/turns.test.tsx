import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { call } from '../../../../test/factories/accounts.ts'
import {
  expectQueue,
  host,
  join,
  listOnlineUsers,
  openOnline,
  passTime,
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

test('the host orders the queue, which says what each has had, and Next goes by it', async () => {
  const [amina, ben] = await join('amina', 'ben')
  if (!amina || !ben) throw new Error('Nobody has joined')
  const report = (body: object) => call(server, 'POST', '/mobile/status', { as: amina, body })
  await report({ speaker_on: true, is_speaking: true })
  passTime(125_000)
  await report({ is_speaking: false })
  await call(server, 'POST', '/host/trigger-bulk-mute/mute', { as: host, body: {} })
  await call(server, 'POST', '/mobile/status', { as: ben, body: {} })
  for (const phone of [amina, ben]) await raiseHand(phone)
  const { enter, user, calls, refuse } = await openOnline()
  await expectQueue(/amina/, /ben/)
  await enter('Change the order of raised hands')
  const order = await screen.findByRole('combobox', { name: 'Order of raised hands' })
  await user.selectOptions(order, 'Who has spoken least')
  await expectQueue(/^1benwaiting [\d:]+, not heard yet/, /^2aminawaiting [\d:]+, spoke 2 min/)
  refuse('PUT', /\/queue-order$/, { status: 503, message: 'The room is busy. Please try again.' })
  await user.selectOptions(order, 'First come, first served')
  await expectToast('The room is busy. Please try again.')
  await waitFor(() => expect(order).toHaveProperty('value', 'least_spoken'))
  await enter('Done')
  await screen.findByText('Order: who has spoken least')
  await pressUntilSent(calls, 1, () => enter('Next'))
  await expectQueue(/^1amina/)
  await screen.findByText('has the floor for', { exact: false })
  expect((await listOnlineUsers()).map(({ turns_taken }) => turns_taken)).toEqual([0, 1])
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
