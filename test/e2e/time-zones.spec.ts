import { addHost, storeSession } from './support/hosts.ts'
import { expect, test } from './support/test.ts'

const day = (iso: string | null) =>
  new Date(iso ?? '').toLocaleDateString('en-GB', { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' })

/** The date of one of the two zones differs from UTC at any hour. */
for (const timezoneId of ['Pacific/Kiritimati', 'Etc/GMT+12'])
  test(`days of a subscription are those of UTC in ${timezoneId}`, async ({ server, master, newContext }) => {
    const host = await addHost(server)
    const { subscription_start_date, subscription_end_date } = host
    const context = await newContext({ timezoneId })

    const page = await context.newPage()
    await storeSession(page, server.master_url, master)
    await page.goto(`${server.master_url}/master/hosts?q=${host.username}`)
    await expect(page.getByText(`until ${day(subscription_end_date)}`).first()).toBeVisible()
    await page
      .getByRole('link', { name: host.username })
      .or(page.getByRole('button', { name: host.username }))
      .first()
      .click()
    await expect(
      page.getByRole('dialog').getByText(`${day(subscription_start_date)} (UTC)`, { exact: true }),
    ).toBeVisible()

    const own = await context.newPage()
    await storeSession(own, server.host_url, host)
    await own.goto(`${server.host_url}/host/users`)
    await expect(own.getByRole('region', { name: 'Subscription' })).toContainText(`until ${day(subscription_end_date)}`)
  })
