import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { buildHost, buildMaster } from '../../../test/factories/accounts.ts'
import { fill, inDialog, openPage, press } from '../../../test/pages/page.tsx'
import { setup } from '../../../test/servers/setup.ts'

const server = await setup()

test('“extend”, a host and a length opens its subscription, where the sale is confirmed', async () => {
  const anna = await buildHost(server, { username: 'Anna' })
  await buildHost(server, { username: 'Boris' })
  const { user, calls } = openPage(server, '/master/system', { ...(await buildMaster(server)), role: 'master' })
  const sales = () => calls.filter((call) => call.endsWith('/extend-subscription'))
  await press(user, /^Search/)
  const field = await screen.findByRole('combobox', { name: /^Go to a page/ })
  const found = () =>
    within(screen.getByRole('listbox', { name: 'Found' }))
      .getAllByRole('option')
      .map(({ textContent }) => textContent?.replace(anna.user_id, '') ?? '')
      .filter((name) => name.startsWith('Extend'))
  fill(field, 'anna extend')
  await waitFor(() =>
    expect(found()).toEqual(['Extend Anna by 1 month', 'Extend Anna by 3 months', 'Extend Anna by 12 months']),
  )
  fill(field, 'extend anna by 3 months')
  await waitFor(() => expect(found()).toEqual(['Extend Anna by 3 months']))
  await user.click(screen.getByRole('option', { name: /^Extend Anna by 3 months/ }))

  const dialog = await inDialog('Manage Subscription')
  dialog.getByText('Anna')
  expect(dialog.getByRole('radio', { name: '3 months' })).toHaveProperty('checked', true)
  expect(sales()).toEqual([])
  await press(user, 'Extend', dialog)
  await dialog.findByText('Subscription extended by 3 months')
  expect(sales()).toEqual([`POST /admin/hosts/${anna.id}/extend-subscription`])
  await user.keyboard('{Escape}')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(window.location.search).toBe('')
})
