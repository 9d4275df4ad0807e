import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { http } from '../server-process.ts'
import { HOST, type Sites, startSites } from './sites.ts'

let sites: Sites
let page: Page
let token: string

beforeAll(async () => {
  sites = await startSites()
  token = await sites.tokenOf('master')
  const body = { username: 'host3', email: 'host3@example.com', password: 'a-good-password', subscription_type: 12 }
  expect((await http(sites.server, 'POST', '/admin/hosts/integrate', { token, body })).status).toBe(200)
  page = await sites.browser.newPage()
})
afterAll(() => sites.close())

const search = (words: string) => page.getByRole('searchbox', { name: 'Search hosts' }).fill(words)
const dialog = (name: string) => page.getByRole('dialog', { name })

test('Host Master shows a master every host, and acts on its room', async () => {
  await page.goto(`${sites.server.master_url}/host/host-master?auth_token=${token}`)
  await page.getByRole('navigation', { name: 'Master Panel' }).waitFor()
  await search('host3')
  const all = page.getByRole('table', { name: 'All hosts' })
  const one = all.getByRole('row', { name: /\bhost3\b/ })
  expect(await one.getByRole('button', { name: 'A: Activate the room of host3' }).isDisabled()).toBe(true)
  await one.getByRole('button', { name: 'S: Stop the room of host3' }).click()
  await dialog('Stop the room of host3?').getByRole('button', { name: 'Stop room' }).click()
  await page.getByText('The room of "host3" is stopped. Its phones cannot sign in until it is activated.').waitFor()
  await one.getByText('Stopped').waitFor()
  await one.getByRole('button', { name: 'A: Activate the room of host3' }).click()
  await page.getByText('The room of "host3" is active').waitFor()
  await one.getByRole('button', { name: 'C: Change the phone of host3' }).click()
  await dialog('Change the phone of host3?').getByRole('button', { name: 'Change phone' }).click()
  await page.getByText('The room of "host3" can be entered by its host from a new phone').waitFor()
  await page.route('**/api/admin/hosts/*/profile/*', (route) => route.abort())
  await one.getByRole('button', { name: 'S: Stop the room of host3' }).click()
  await dialog('Stop the room of host3?').getByRole('button', { name: 'Stop room' }).click()
  await page.getByText('Failed to stop user').waitFor()
  await search('no such host')
  await page.getByText('No host data available').waitFor()
})

test('Host Master shows a host its own row alone, and asks a visitor to log in', async () => {
  const visitor = await sites.browser.newContext()
  const own = await visitor.newPage()
  const address = `${sites.server.host_url}/host/host-master`
  await own.goto(address)
  await own.getByRole('heading', { name: 'Authentication Required' }).waitFor()
  await own.getByText('Please log in to access this page.').waitFor()
  await own.waitForURL('**/login')
  await own.getByLabel('Username').fill(HOST.username)
  await own.getByLabel(/^Password/).fill(HOST.password)
  await own.getByRole('button', { name: 'Sign in' }).click()
  await own.waitForURL('**/host/host-master') // where the visitor wanted to go
  await own.getByText(HOST.email).waitFor()

  await own.goto(`${address}?modal=add-host&oauth_status=success&oauth_result_id=r1&user_email=a@b.co`)
  await own.getByText(HOST.email).waitFor()
  await own.waitForURL(address)
  expect(await own.getByRole('dialog').count()).toBe(0)

  expect(await own.getByRole('button', { name: 'A · Activate room' }).isDisabled()).toBe(true)
  await own.getByRole('button', { name: 'S · Stop room' }).click()
  await own.getByRole('dialog').getByRole('button', { name: 'Stop room' }).click()
  await own.getByRole('button', { name: 'A · Activate room' }).click()
  await own.getByText('The room is active').waitFor()
  await own.getByRole('button', { name: 'C · Change phone' }).click()
  await own.getByRole('dialog').getByRole('button', { name: 'Change phone' }).click()
  await own.getByText('Device binding cleared. You can now login from a new phone.').waitFor()
  await visitor.close()
})
