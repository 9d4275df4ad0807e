import type { BrowserContext, Page, Request } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { HOST, type Sites, signInAsHost, startSites, stored } from './sites.ts'

let sites: Sites
let context: BrowserContext
let page: Page
let requests: Request[]
beforeAll(async () => {
  sites = await startSites({ LOG_LEVEL: 'trace' })
}, 60_000)
afterAll(() => sites.close())
beforeEach(async () => {
  context = await sites.browser.newContext()
  page = await context.newPage()
  requests = []
  page.on('request', (request) => requests.push(request))
})
afterEach(() => context.close())

const asked = (path: string) => requests.filter((request) => new URL(request.url()).pathname.startsWith(path))
const base64 = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
/** What anybody can write. */
const forged = `${base64({ alg: 'none' })}.${base64({ adminId: 'm1', role: 'master' })}.`

test('SEC-18 a token in the address signs in, and is nowhere to be found afterwards', async () => {
  const token = await sites.tokenOf('master')
  await page.goto(`${sites.server.master_url}/master/hosts/add?modal=add-host&auth_token=${token}`)
  await page.getByRole('dialog', { name: 'Add New Host Account' }).waitFor()
  await page.getByRole('heading', { name: 'Host Management', includeHidden: true }).waitFor()
  expect(page.url()).toBe(`${sites.server.master_url}/master/hosts/add`)
  const [first, ...later] = requests
  expect(first?.url()).toContain(token)
  for (const request of later) {
    expect(request.url()).not.toContain(token)
    expect(request.headers().referer ?? '').not.toContain(token)
  }
  expect(JSON.stringify(await stored(page))).not.toContain(token)
  expect(sites.said()).not.toContain(token)
})

test('SEC-19 somebody who is signed in is asked before another takes the place', async () => {
  await page.goto(`${sites.server.host_url}/login`)
  await signInAsHost(page)
  await page.waitForURL('**/host/dashboard')

  const another = await sites.tokenOf('master')
  await page.goto(`${sites.server.host_url}/host/rooms?auth_token=${another}`)
  await page.getByRole('heading', { name: 'Sign in as someone else?' }).waitFor()
  await page.getByRole('button', { name: `Stay signed in as ${HOST.username}` }).click()
  await page.getByRole('heading', { name: 'Rooms Master' }).waitFor()
  await page.reload()
  await page.getByText(HOST.username, { exact: true }).waitFor()

  await page.goto(`${sites.server.host_url}/host/rooms?auth_token=${another}`)
  await page.getByRole('button', { name: /^Sign in as master@/ }).click()
  await page.waitForURL('**/host/rooms')
  await page.getByText('master@parley.example', { exact: true }).waitFor()
})

test('SEC-20 a token that nobody signed opens nothing, and ends at the login', async () => {
  await page.goto(`${sites.server.master_url}/master/hosts?auth_token=${forged}`)
  await page.waitForURL('**/master-login')
  expect(asked('/api/auth/verify')).toHaveLength(1) // a refusal is not asked about again
  expect(asked('/api/admin')).toEqual([])
  expect((await stored(page))['parley.session']).toBeUndefined()
})

test.each([401, 403])('a verification that answers %i never leads into the panel', async (status) => {
  const body = JSON.stringify({ success: false, message: 'No.', code: 'not_allowed' })
  await page.route('**/api/auth/verify', (route) => route.fulfill({ status, body }))
  await page.goto(`${sites.server.master_url}/master/hosts?auth_token=${await sites.tokenOf('master')}`)
  await page.waitForURL('**/master-login')
  expect(asked('/api/auth/verify')).toHaveLength(1)
  expect(asked('/api/admin')).toEqual([])
})

test('SEC-21 three silences lead to an empty master panel, which fills when the server is back', async () => {
  const times: number[] = []
  await page.route('**/api/auth/verify', (route) => {
    times.push(Date.now())
    return route.fulfill({ status: 503, body: '' })
  })
  const opened = page.goto(`${sites.server.master_url}/master/hosts?auth_token=${await sites.tokenOf('master')}`)
  await page.getByText('Loading...').waitFor()
  await opened
  await page.getByText('Your sign-in could not be verified').waitFor()
  expect(times).toHaveLength(3)
  const [first = 0, , third = 0] = times
  expect(third - first).toBeGreaterThan(1900)
  await page.getByText('Master Panel').waitFor()
  expect(await page.getByText('Host Management').count()).toBe(1) // in the sidebar alone
  expect(asked('/api/admin')).toEqual([])

  await page.unroute('**/api/auth/verify')
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByRole('row', { name: new RegExp(HOST.email) }).waitFor()
})

test('a forged master who waits in the empty panel is sent away by the first refusal', async () => {
  await page.route('**/api/auth/verify', (route) => route.abort())
  await page.goto(`${sites.server.master_url}/master/hosts?auth_token=${forged}`)
  await page.getByText('Your sign-in could not be verified').waitFor()
  await page.unroute('**/api/auth/verify')
  await page.waitForURL('**/master-login') // it asks again by itself
  expect(asked('/api/admin')).toEqual([])
})

test('a host is shown nothing at all until the server has answered', async () => {
  await page.route('**/api/auth/verify', (route) => route.abort())
  await page.goto(`${sites.server.host_url}/host/rooms?auth_token=${await sites.tokenOf('host')}`)
  await page.getByRole('heading', { name: 'Parley does not answer' }).waitFor()
  expect(asked('/api/host')).toEqual([])
  await page.unroute('**/api/auth/verify')
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByRole('heading', { name: 'Rooms Master' }).waitFor()
})
