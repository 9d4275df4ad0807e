import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { call } from '../../../../test/factories/accounts.ts'
import { host, join, openOnline, raiseHand, server, setupOnline } from '../../../../test/pages/online-page.ts'
import { openPage, press } from '../../../../test/pages/page.tsx'

await setupOnline()

test('shows who speaks and who is next, and closes to the page', async () => {
  const [amina, ben, chidi] = await join('amina', 'ben', 'chidi')
  if (!amina || !ben || !chidi) throw new Error('no phones')
  await call(server, 'POST', '/mobile/status', { as: amina, body: { is_speaking: true } })
  await raiseHand(chidi)
  await raiseHand(ben)
  const { user } = openPage(server, '/host/online?view=wall', { ...host, role: 'host' })
  const wall = within(await screen.findByRole('dialog', { name: /^Wall view of / }))
  await within(wall.getByRole('region', { name: 'Speaking' })).findByText('amina')
  const next = within(wall.getByRole('region', { name: 'Next to speak' }))
  await waitFor(() =>
    expect(next.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
      expect.stringMatching(/^chidi/),
      expect.stringMatching(/^ben/),
    ]),
  )
  wall.getByText('3 online')
  await press(user, 'Close the wall view')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  screen.getByRole('heading', { name: 'Online Users' })
})

test('tiles stand in the chosen order', async () => {
  const [zoe, amina] = await join('zoe', 'amina')
  if (!zoe || !amina) throw new Error('no phones')
  const { user } = await openOnline()
  await screen.findByText('zoe')
  const names = () =>
    [...document.querySelectorAll('[data-user-id]')].map((tile) => /zoe|amina/.exec(tile.textContent)?.[0])
  const order = screen.getByLabelText('Order of the tiles')
  await user.selectOptions(order, 'Name')
  await waitFor(() => expect(names()).toEqual(['amina', 'zoe']))
})
