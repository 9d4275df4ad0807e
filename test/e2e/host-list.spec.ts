import type { Page } from '@playwright/test'
import { http, type ServerProcess, signInMaster } from '../server-process.ts'
import { FAILED_CALL } from './support/console-errors.ts'
import { downloadCsv } from './support/downloads.ts'
import { openListOf } from './support/host-list.ts'
import { addHost, keepSession, masterSession, PASSWORD } from './support/hosts.ts'
import { expect, test } from './support/test.ts'

const rowsOf = (page: Page) => page.getByRole('table', { name: 'Hosts', exact: true }).locator('tbody tr')

test('the list is searched, filtered, sorted and paged, and its address keeps all of it', async ({
  page,
  emptyServer: server,
}) => {
  const plain = Array.from({ length: 51 }, (_, at) => ({ username: `host${at + 1}`, subscription_type: 12 }))
  await addHosts(server, [...plain, { username: 'bruno', mobile: '+49 151 777', subscription_type: null }])
  await keepSession(page, server.master_url, await masterSession(server))
  const rows = rowsOf(page)
  const search = page.getByRole('searchbox', { name: 'Search hosts' })
  const filter = page.getByRole('combobox', { name: 'Show', exact: true })
  const address = (query: string) => `${server.master_url}/master/hosts${query}`

  await page.goto(address(''))
  await expect(rows).toHaveCount(50)
  await expect(page.getByRole('button', { name: 'Total Hosts 52', pressed: true })).toBeVisible()
  await page.getByRole('button', { name: '2', exact: true }).click()
  await expect(rows).toHaveCount(2)
  await expect(page).toHaveURL(address('?page=2'))

  await search.fill('777')
  await expect(rows).toHaveText([/bruno/]) // and back at the first page
  await expect(page).toHaveURL(address('?q=777'))
  await expect(page.getByText('1 of 52', { exact: true })).toBeVisible()
  await page.reload()
  await expect(rows).toHaveText([/bruno/])
  await expect(search).toHaveValue('777')

  await search.fill('no such host')
  await expect(page.getByText('No hosts found')).toBeVisible()
  await page.getByRole('button', { name: 'Show all hosts' }).click()
  await expect(rows).toHaveCount(50)
  await expect(page).toHaveURL(address(''))

  await filter.selectOption({ label: 'No subscription (1)' })
  await expect(rows).toHaveText([/bruno/])
  await expect(page).toHaveURL(address('?filter=no-subscription'))
  await page.getByRole('button', { name: 'Zoom Connected' }).click()
  await expect(page.getByText('No hosts found')).toBeVisible()
  await expect(page).toHaveURL(address('?filter=zoom-connected'))
  await filter.selectOption('all')
  await expect(rows).toHaveCount(50)

  await page.getByRole('button', { name: 'Host', exact: true }).click()
  await expect(page.getByRole('columnheader', { name: 'Host', exact: true })).toHaveAttribute('aria-sort', 'ascending')
  await expect(rows.first()).toContainText('bruno')
  await page.getByRole('button', { name: 'Host', exact: true }).click()
  await expect(page.getByRole('columnheader', { name: 'Host', exact: true })).toHaveAttribute('aria-sort', 'descending')
  await expect(rows.first()).toContainText('host9')
  await expect(page).toHaveURL(address('?sort=-host'))
})

test('columns can be hidden, and the browser remembers it', async ({ masterPage: page, server, host }) => {
  const storage = page.getByRole('columnheader', { name: 'Storage' })
  await openListOf(page, server, host)
  await expect(storage).toBeVisible()
  await page.getByRole('button', { name: 'Columns' }).click()
  await page.getByRole('checkbox', { name: 'Storage' }).uncheck()
  await expect(storage).toHaveCount(0)
  await page.reload()
  await expect(page.getByRole('columnheader', { name: 'Subscription' })).toBeVisible()
  await expect(storage).toHaveCount(0)
})

test('exports the filtered hosts as a file without formulas', async ({ masterPage: page, server }) => {
  const formula = '=HYPERLINK("http://evil.example")'.slice(0, 32)
  const host = await addHost(server, { subscription_type: null, mobile: formula })
  await openListOf(page, server, host, 'no-subscription')
  await expect(rowsOf(page)).toHaveText([new RegExp(host.username)])
  const { name, lines } = await downloadCsv(page, () => page.getByRole('button', { name: 'Export CSV' }).click())
  expect(name).toMatch(/^hosts-no-subscription-\d{4}-\d\d-\d\d\.csv$/)
  expect(lines).toEqual([expect.stringContaining('host_id'), expect.stringContaining(`"'=HYPERLINK(""http://`)])
})

test('shows a failure to load, and can be retried', async ({ masterPage: page, server, host, consoleErrors }) => {
  consoleErrors.allow(FAILED_CALL)
  const lists = '**/api/admin/hosts'
  await page.route(lists, (route) => route.abort())
  await openListOf(page, server, host)
  await expect(page.getByRole('alert').getByText('Failed to load hosts')).toBeVisible()
  await page.goto(`${server.master_url}/host/host-master`)
  await expect(page.getByRole('alert').getByText('Failed to load data')).toBeVisible()
  await page.unroute(lists)
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('table', { name: 'All hosts' })).toBeVisible()

  await openListOf(page, server, host)
  await expect(rowsOf(page)).toHaveCount(1)
  await page.route(lists, (route) => route.abort())
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange', { bubbles: true })))
  await expect(page.getByText('Failed to refresh data')).toBeVisible()
  await expect(rowsOf(page)).toHaveCount(1)
})

test('the header’s search leads to a host', async ({ masterPage: page, server, host }) => {
  await page.goto(`${server.master_url}/host/host-master`)
  await expect(page.getByRole('table', { name: 'All hosts' })).toBeVisible()
  await page.keyboard.press('/')
  const search = page.getByRole('combobox', { name: 'Go to a page or a person' })
  await search.fill(host.email)
  await expect(page.getByRole('option')).toHaveText([new RegExp(host.username)])
  await search.press('Enter')
  const details = page.getByRole('dialog', { name: 'Host Details' })
  await expect(details.getByText(host.email)).toBeVisible()
  await expect(search).toHaveCount(0)
  await page.keyboard.press('Escape')
  await expect(details).toHaveCount(0)
  await expect(page).toHaveURL(`${server.master_url}/master/hosts`)
})

async function addHosts(
  server: ServerProcess,
  hosts: { username: string; mobile?: string; subscription_type: number | null }[],
): Promise<void> {
  const token = await signInMaster(server)
  for (let from = 0; from < hosts.length; from += 13) {
    const batch = hosts.slice(from, from + 13)
    await Promise.all(
      batch.map(async (fields) => {
        const body = { email: `${fields.username}@example.com`, password: PASSWORD, ...fields }
        expect(await http(server, 'POST', '/admin/hosts/integrate', { token, body })).toMatchObject({ status: 200 })
      }),
    )
  }
}
