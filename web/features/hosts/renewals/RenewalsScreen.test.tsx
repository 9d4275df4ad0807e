import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { buildHost, buildMaster, call, type SignedIn } from '../../../../test/factories/accounts.ts'
import { expectToast, openPage, press, savedCsv } from '../../../../test/pages/page.tsx'
import { setup } from '../../../../test/servers/setup.ts'

const DAY = 86_400_000
const server = await setup()
let master: SignedIn & { id: string }

beforeEach(async () => {
  master = await buildMaster(server)
})

const hostEnding = (username: string, days: number) =>
  buildHost(server, { username }).then(async (host) => {
    const subscription_end_date = new Date(Date.now() + days * DAY)
    await server.deps.db.updateTable('hosts').set({ subscription_end_date }).where('id', '=', host.id).execute()
    return host
  })
const openRenewals = (query = '') => openPage(server, `/master/renewals${query}`, { ...master, role: 'master' })
/** Rows that have just moved ignore clicks. */
const waitUntilSettled = () => vi.spyOn(performance, 'now').mockReturnValue(1e9)

const names = async () => {
  const table = await screen.findByRole('table', { name: 'Subscriptions to renew' })
  return within(table)
    .getAllByRole('row')
    .slice(1)
    .map((row) => within(row).getAllByRole('cell')[0]?.textContent)
}

describe('Renewals', () => {
  test('shows who ends soon and who was not renewed, and extends by one press', async () => {
    const choir = await hostEnding('choir', 3)
    await hostEnding('readers', -2)
    await hostEnding('circle', 20)
    const { user } = openRenewals('?days=7')
    expect(await names()).toEqual(['readers', 'choir'])
    screen.getByText('3 days left')
    screen.getByText('Expired')

    waitUntilSettled()
    await user.dblClick(screen.getByRole('button', { name: 'Extend choir by 3 months' }))
    await expectToast('Subscription of choir extended by 3 months')
    await waitFor(async () => expect(await names()).toEqual(['readers']))
    const { body } = await call(server, 'GET', `/admin/hosts/${choir.id}/subscription-history`, { as: master })
    expect(body.data.history.map(({ months }: { months: number }) => months)).toEqual([3, 12])

    await user.selectOptions(screen.getByLabelText('Days before and after the end'), 'Within 30 days')
    await waitFor(async () => expect(await names()).toEqual(['readers', 'circle']))
    expect(window.location.search).toBe('?days=30')
  })

  test('says that another master has extended it already', async () => {
    const choir = await hostEnding('choir', 3)
    const { user } = openRenewals()
    await screen.findByText('3 days left')
    const extension = { additional_months: 1 }
    await call(server, 'POST', `/admin/hosts/${choir.id}/extend-subscription`, { as: master, body: extension })
    waitUntilSettled()
    await press(user, 'Extend choir by 12 months')
    await expectToast('This subscription was just changed. Check the new end date before extending again.')
    await screen.findByText('Nothing to renew')
  })

  test('saves the list as a file', async () => {
    await hostEnding('choir', 3)
    const { user } = openRenewals()
    await screen.findByText('3 days left')
    await press(user, 'Download CSV')
    const { name, lines } = await savedCsv()
    expect(name).toMatch(/^renewals-\d{4}-\d\d-\d\d\.csv$/)
    expect(lines).toEqual([expect.stringMatching(/^id,username/), expect.stringContaining(',choir,')])
  })

  test('plots what was sold, with the same numbers in a table', async () => {
    await hostEnding('choir', 300)
    const { user } = openRenewals()
    await screen.findByText('Nothing to renew')
    const table = await screen.findByRole('table', { name: 'Sold by month' })
    const month = new Intl.DateTimeFormat('en-GB', { month: 'short', year: 'numeric', timeZone: 'UTC' }).format(
      Date.now(),
    )
    const [, latest, ...others] = within(table).getAllByRole('row')
    expect(
      within(latest as HTMLElement)
        .getAllByRole('cell')
        .map(({ textContent }) => textContent),
    ).toEqual(['12', '1', '0', '0'])
    within(latest as HTMLElement).getByRole('rowheader', { name: month })
    expect(others).toHaveLength(11)
    await user.selectOptions(screen.getByLabelText('Months to show'), 'Last 24 months')
    await waitFor(() =>
      expect(within(screen.getByRole('table', { name: 'Sold by month' })).getAllByRole('row')).toHaveLength(25),
    )
  })
})
