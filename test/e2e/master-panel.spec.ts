import { readFile } from 'node:fs/promises'
import type { BrowserContext, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { http } from '../server-process.ts'
import { HOST, type Sites, startSites } from './sites.ts'

const PASSWORD = 'a-good-password'
const FORMULA = '=HYPERLINK("http://evil.example")'
const PEOPLE = 52 // two pages with the others

let sites: Sites
let context: BrowserContext
let page: Page
let token: string

beforeAll(async () => {
  sites = await startSites()
  token = await sites.tokenOf('master')
  for (let count = 1; count <= PEOPLE; count++) await add({ username: `host${count}`, subscription_type: 12 })
  await add({ username: 'bruno', mobile: '+49 151 777', subscription_type: 1 })
  await add({ username: 'formula', mobile: FORMULA.slice(0, 32), subscription_type: null })
  context = await sites.browser.newContext({ acceptDownloads: true })
  // Time passes as ever, and can be made to jump over what a dialog waits for.
  await context.clock.install()
  page = await context.newPage()
  page.setDefaultTimeout(20_000)
  await page.goto(`${sites.server.master_url}/master/hosts?auth_token=${token}`)
}, 60_000)
afterAll(() => sites.close())
beforeEach(() => page.unrouteAll())

async function add(fields: Record<string, unknown>): Promise<string> {
  const body = { email: `${fields.username}@example.com`, password: PASSWORD, ...fields }
  const made = await http(sites.server, 'POST', '/admin/hosts/integrate', { token, body })
  expect(made.status).toBe(200)
  return made.body.data.id
}

const open = (path: string) => page.goto(`${sites.server.master_url}${path}`)
const hostOf = async (username: string) =>
  (await http(sites.server, 'GET', '/admin/hosts', { token })).body.data.hosts.find(
    (host: { username: string }) => host.username === username,
  )
const rows = () => page.getByRole('table', { name: 'Hosts', exact: true }).locator('tbody tr')
const row = (username: string) => rows().filter({ hasText: username })
const dialog = (name: string) => page.getByRole('dialog', { name })
const query = () => new URL(page.url()).search
const gone = (locator: Locator) => locator.waitFor({ state: 'detached' })
const search = (words: string) => page.getByRole('searchbox', { name: 'Search hosts' }).fill(words)
const loggingIn = (username: string) =>
  http(sites.server, 'POST', '/auth/host/login', { body: { username, password: PASSWORD } })

/** Calls of the console to this address get no answer. */
const cutOff = (path: string) => page.route(`**/api${path}`, (route) => route.abort())

async function act(username: string, action: string) {
  await open(`/master/hosts?q=${username}`)
  await page.getByRole('button', { name: `${action} ${username}`, exact: true }).click()
}

test('the list is searched, filtered, sorted and paged, and its address keeps all of it', async () => {
  const total = PEOPLE + 3
  await open('/master/hosts')
  await rows().first().waitFor()
  expect(await rows().count()).toBe(50)
  await page.getByRole('button', { name: 'Total Hosts', pressed: true }).waitFor()
  expect(await page.locator('dl', { hasText: 'Total Hosts' }).textContent()).toContain(String(total))

  await page.getByRole('button', { name: '2', exact: true }).click()
  await expect.poll(() => rows().count()).toBe(total - 50)
  expect(query()).toBe('?page=2')

  await search('777')
  await expect.poll(() => rows().count()).toBe(1) // and back at the first page
  await row('bruno').getByText('1 month,').waitFor()
  expect(query()).toBe('?q=777')
  await page.getByText(`1 of ${total}`, { exact: true }).waitFor()

  await page.reload()
  await expect.poll(() => rows().count()).toBe(1)
  expect(await page.getByRole('searchbox', { name: 'Search hosts' }).inputValue()).toBe('777')

  await search('no such host')
  await page.getByText('No hosts found').waitFor()
  await page.getByRole('button', { name: 'Show all hosts' }).click()
  await expect.poll(() => rows().count()).toBe(50)
  expect(query()).toBe('')

  await page.getByLabel('Show').selectOption({ label: 'Expiring in 30 days (1)' })
  await expect.poll(() => rows().count()).toBe(1)
  expect(query()).toBe('?filter=expiring-30')
  await page.getByRole('button', { name: 'Zoom Connected' }).click()
  await page.getByText('No hosts found').waitFor()
  expect(query()).toBe('?filter=zoom-connected')

  await open('/master/hosts')
  await page.getByRole('button', { name: 'Host', exact: true }).click()
  await page.locator('th[aria-sort=ascending]', { hasText: 'Host' }).waitFor()
  expect(await rows().first().textContent()).toContain('ana')
  await page.getByRole('button', { name: 'Host', exact: true }).click()
  await page.locator('th[aria-sort=descending]', { hasText: 'Host' }).waitFor()
  expect(query()).toBe('?sort=-host')
  expect(await rows().first().textContent()).toContain('host9')
})

test('columns can be hidden, and the browser remembers it', async () => {
  await open('/master/hosts')
  await page.getByRole('columnheader', { name: 'Storage' }).waitFor()
  await page.getByRole('button', { name: 'Columns' }).click()
  await page.getByRole('checkbox', { name: 'Storage' }).uncheck()
  await gone(page.getByRole('columnheader', { name: 'Storage' }))
  await page.reload()
  await page.getByRole('columnheader', { name: 'Subscription' }).waitFor()
  expect(await page.getByRole('columnheader', { name: 'Storage' }).count()).toBe(0)
  await page.getByRole('button', { name: 'Columns' }).click()
  await page.getByRole('checkbox', { name: 'Storage' }).check()
})

test('what the filter shows can be taken along as a file, in which nothing runs', async () => {
  await open('/master/hosts?filter=no-subscription')
  await row('formula').waitFor()
  const saved = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export CSV' }).click()
  const download = await saved
  expect(download.suggestedFilename()).toMatch(/^hosts-no-subscription-\d{4}-\d\d-\d\d\.csv$/)
  const lines = (await readFile(await download.path(), 'utf8')).trim().split('\r\n')
  expect(lines).toHaveLength(2)
  expect(lines[1]).toContain(`"'=HYPERLINK(""http://`)
})

test('a host is edited, with each fault under its field', async () => {
  await act('bruno', 'Edit')
  const form = dialog('Edit Host')
  const save = form.getByRole('button', { name: 'Save changes' })
  const faultOf = (label: string | RegExp) =>
    form
      .locator('.mantine-InputWrapper-root', { has: page.getByLabel(label) })
      .locator('.mantine-InputWrapper-error')
      .textContent()

  await form.getByLabel('Username').fill('')
  await form.getByLabel(/^Email/).fill('nonsense')
  await form.getByLabel('Storage limit').fill('101')
  await form.getByLabel(/^New Password/).fill('short')
  await save.click()
  expect(await faultOf('Username')).toBe('Username is required')
  expect(await faultOf(/^Email/)).toBe('Invalid email address')
  expect(await faultOf('Storage limit')).toBe('Storage limit must be between 1 and 100 GB')
  expect(await faultOf(/^New Password/)).toBe('Password must be at least 6 characters')

  await form.getByLabel('Username').fill(HOST.username.toUpperCase())
  await form.getByLabel(/^Email/).fill(HOST.email)
  await form.getByLabel('Storage limit').fill('20')
  await form.getByLabel(/^New Password/).fill('')
  await save.click()
  await expect.poll(() => faultOf('Username')).toBe('This username is already taken')
  expect(await form.getByText('Failed to update host').count()).toBe(0)

  await form.getByLabel('Username').fill('bruno')
  await form.getByLabel(/^Email/).fill('bruno@example.com')
  await cutOff('/admin/hosts/*')
  await save.click()
  await form.getByText('Failed to update host').waitFor()
  await page.unrouteAll()
  await save.click()
  await form.getByText('Host updated successfully').waitFor()
  await page.clock.fastForward(2_000)
  await gone(form)
  expect(await hostOf('bruno')).toMatchObject({ storage_limit_gb: 20, email: 'bruno@example.com' })
  expect((await loggingIn('bruno')).status).toBe(200) // a blank password has kept the old one
})

test('the subscription is edited as the preview says', async () => {
  await act('bruno', 'Edit')
  const form = dialog('Edit Host')
  const [action, duration, day] = ['Action', 'Duration', 'End date'].map((label) => form.getByLabel(label))
  if (!action || !duration || !day) throw new Error('unreachable')
  const canChoose = async () => [await duration.isEnabled(), await day.isEnabled()]
  expect(await canChoose()).toEqual([false, false])
  await action.selectOption('cancel')
  await form.getByText(/After saving: Cancelled since/).waitFor()
  expect(await canChoose()).toEqual([false, false])
  await action.selectOption('reduce')
  await duration.selectOption('12')
  await form.getByText(/After saving: Expired since/).waitFor()
  expect(await canChoose()).toEqual([true, false])
  await action.selectOption('set_date')
  expect(await canChoose()).toEqual([false, true])
  expect(await day.getAttribute('min')).toBe(new Date().toISOString().slice(0, 10))
  await day.fill('2020-01-01')
  await form.getByRole('button', { name: 'Save changes' }).click()
  await form.getByText('The end date must be today or later').waitFor()
  await day.fill('2031-05-09')
  await form.getByText('After saving: Active until 9 May 2031').waitFor()
  await action.selectOption('extend')
  await duration.selectOption('6')
  const preview = await form.getByText(/After saving: Active until/).textContent()
  await form.getByRole('button', { name: 'Save changes' }).click()
  await form.getByText('Host updated successfully').waitFor()
  const { id, subscription_end_date, subscription_type } = await hostOf('bruno')
  const ends = new Date(subscription_end_date)
  expect(preview).toContain(ends.toLocaleDateString('en-GB', { dateStyle: 'medium', timeZone: 'UTC' }))
  expect(subscription_type).toBe(6)
  const { body } = await http(sites.server, 'GET', `/admin/hosts/${id}/subscription-history`, { token })
  expect(body.data.history[0]).toMatchObject({ action: 'extended', months: 6 })
})

test('of two masters who edit one host the second is told, and can then save without losing anything', async () => {
  await act('bruno', 'Edit')
  const form = dialog('Edit Host')
  await form.getByLabel('Room name').fill('My room')
  const { id } = await hostOf('bruno')
  const body = { mobile: '+49 30 1', storage_limit_gb: 44 }
  await http(sites.server, 'PUT', `/admin/hosts/${id}`, { token: await sites.tokenOf('master'), body })

  await form.getByRole('button', { name: 'Save changes' }).click()
  await form.getByText('Somebody else has changed this host meanwhile. Nothing was saved.', { exact: false }).waitFor()
  await form.getByText('It is now: Mobile: +49 30 1; Storage limit: 44.', { exact: false }).waitFor()
  expect(await form.getByLabel('Mobile').inputValue()).toBe('+49 30 1')
  expect(await form.getByLabel('Room name').inputValue()).toBe('My room')
  expect((await hostOf('bruno')).room_name).not.toBe('My room')

  await form.getByRole('button', { name: 'Save changes' }).click()
  await form.getByText('Host updated successfully').waitFor()
  expect(await hostOf('bruno')).toMatchObject({ ...body, room_name: 'My room' })
})

test('a subscription is extended, cancelled at once, and taken back by extending', async () => {
  await act('host1', 'Manage subscription of')
  const manage = dialog('Manage Subscription')
  await cutOff('/admin/hosts/*/*')
  await manage.getByRole('button', { name: 'Extend', exact: true }).click()
  await manage.getByText('Failed to extend subscription').waitFor()
  const agree = () => dialog('Cancel the subscription of host1?').getByRole('button', { name: 'Cancel subscription' })
  await manage.getByRole('button', { name: 'Cancel subscription' }).click()
  await agree().click()
  await manage.getByText('Failed to cancel subscription').waitFor()
  await page.unrouteAll()

  await manage.getByRole('button', { name: 'Cancel subscription' }).click()
  await agree().click()
  await manage.getByText('Subscription cancelled', { exact: true }).waitFor()
  await page.clock.fastForward(2_000)
  await gone(manage)
  await row('host1').getByText('Cancelled').first().waitFor()
  expect(await loggingIn('host1')).toMatchObject({ status: 403, body: { code: 'subscription_cancelled' } })

  await act('host1', 'Manage subscription of')
  await manage.getByText('The months start today, and the host can log in again.').waitFor()
  expect(await manage.getByRole('button', { name: 'Cancel subscription' }).count()).toBe(0)
  await manage.getByText('3 months', { exact: true }).click()
  await manage.getByRole('button', { name: 'Extend', exact: true }).click()
  await manage.getByText('Subscription extended by 3 months').waitFor()
  await page.clock.fastForward(2_000)
  await gone(manage)
  expect((await loggingIn('host1')).status).toBe(200)
})

test('many are extended after a preview, and one that somebody else has changed is named', async () => {
  await open('/master/hosts?q=host2')
  await row('host21').getByRole('checkbox').check()
  await row('host22').getByRole('checkbox').check()
  await page.getByText('2 selected').waitFor()
  await page.getByRole('button', { name: 'Extend subscriptions' }).click()
  const bulk = dialog('Extend 2 subscriptions')
  await bulk.getByText('12 months', { exact: true }).click()
  const before = await hostOf('host21')
  const year = Number(before.subscription_end_date.slice(0, 4))
  await bulk
    .getByRole('row', { name: /host21/ })
    .getByText(String(year + 1))
    .waitFor()

  const other = await hostOf('host22')
  const path = `/admin/hosts/${other.id}/extend-subscription`
  await http(sites.server, 'POST', path, { token, body: { additional_months: 1 } })
  await bulk.getByRole('button', { name: 'Extend 2' }).click()
  await bulk.getByText('1 of 2 extended by 12 months').waitFor()
  await bulk.getByText(/host22: Somebody else has changed this subscription meanwhile/).waitFor()
  await bulk.getByRole('button', { name: 'Close' }).last().click()
  await gone(bulk)
  expect((await hostOf('host21')).subscription_end_date.slice(0, 4)).toBe(String(year + 1))
})

test('a host is deleted, restored, deleted again and purged', async () => {
  const remove = async () => {
    await act('host50', 'Delete')
    const question = dialog('Delete host50?')
    await question
      .getByText('Its data is kept for 30 days, in which it can be restored, and then erased for good.')
      .waitFor()
    await question.getByRole('button', { name: 'Delete host' }).click()
  }
  await cutOff('/admin/hosts/*')
  await remove()
  await page.getByText('Failed to delete host: Please try again.').waitFor()
  await page.unrouteAll()
  await remove()
  await page.getByText('Host "host50" deleted successfully. All associated data has been removed.').waitFor()
  await page.getByText('No hosts found').waitFor()

  await page.getByLabel('Show').selectOption('deleted')
  await page.getByText('30 days left').waitFor()
  await page.getByRole('button', { name: 'Restore host50' }).click()
  await page.getByText('Host "host50" restored. Zoom has to be connected again.').waitFor()
  await page.getByText('No hosts found').waitFor()
  expect((await loggingIn('host50')).status).toBe(200)

  await remove()
  await page.getByText('No hosts found').waitFor()
  await open('/master/hosts?filter=deleted')
  await page.getByRole('button', { name: 'Purge host50 now' }).click()
  await dialog('Purge host50 now?').getByRole('button', { name: 'Purge now' }).click()
  await page.getByText('The data of this host has been removed for good.').waitFor()
  await page.getByText('No hosts found').waitFor()
  const { body } = await http(sites.server, 'GET', '/admin/hosts?deleted=true', { token })
  expect(body.data.hosts).toEqual([])
})

test('the details show the subscription’s history and what was lately done', async () => {
  await act('host1', 'View')
  const details = dialog('Host Details')
  await details.getByText('host1@example.com').waitFor()
  await details.getByText('Extended, 3 months').waitFor()
  await details.getByText('Subscription cancelled').waitFor()
  await details.getByText('Host created').waitFor()
  await details.getByRole('button', { name: 'Edit host' }).click()
  await dialog('Edit Host').waitFor()
  await gone(details)
})

test('a list that cannot be had says so, and can be asked for again', async () => {
  await cutOff('/admin/hosts')
  await open('/master/hosts')
  await page.getByRole('alert').getByText('Failed to load hosts').waitFor()
  await open('/host/host-master')
  await page.getByRole('alert').getByText('Failed to load data').waitFor()
  await page.unrouteAll()
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByRole('table', { name: 'All hosts' }).waitFor()
  await open('/master/hosts')
  await rows().first().waitFor()
  await cutOff('/admin/hosts')
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange', { bubbles: true })))
  await page.getByText('Failed to refresh data').waitFor()
  expect(await rows().count()).toBeGreaterThan(0)
})

test('the header’s search leads to a host', async () => {
  await open('/host/host-master')
  await page.getByRole('table', { name: 'All hosts' }).waitFor()
  await page.keyboard.press('/')
  await page.getByRole('combobox').fill('bruno@ex')
  await page.getByRole('option', { name: /bruno/ }).waitFor()
  await page.keyboard.press('Enter')
  await dialog('Host Details').getByText('bruno@example.com').waitFor()
  await page.keyboard.press('Escape')
  await gone(dialog('Host Details'))
  expect(query()).toBe('')
})
