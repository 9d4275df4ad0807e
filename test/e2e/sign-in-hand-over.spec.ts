import type { BrowserContext, Page, Request } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { http } from '../server-process.ts'
import { HOST, passTimeUntil, type Sites, startSites, stillContext, stored } from './sites.ts'

let sites: Sites
let context: BrowserContext
/** For what the console does only after a while. */
let still: BrowserContext
let page: Page
let requests: Request[]
beforeAll(async () => {
  sites = await startSites({ LOG_LEVEL: 'trace' })
  // One for all tests: what one tab has fetched, the next need not.
  ;[context, still] = await Promise.all([sites.browser.newContext(), stillContext(sites)])
}, 60_000)
afterAll(() => sites.close())
beforeEach(() => openTab(context))
afterEach(() => page.close())

async function openTab(of: BrowserContext) {
  page = await of.newPage()
  requests = []
  page.on('request', (request) => requests.push(request))
}

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
  expect(sites.server.said()).not.toContain(token)
})

test('SEC-19 somebody who is signed in is asked before another takes the place', async () => {
  await page.goto(`${sites.server.host_url}/host/rooms?auth_token=${await sites.tokenOf('host')}`)
  await page.getByRole('heading', { name: 'Rooms Master' }).waitFor()

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

test('the same person needs no question, and a spent link changes nothing', async () => {
  const [first, second, spent] = [
    await sites.tokenOf('host'),
    await sites.tokenOf('host'),
    await sites.tokenOf('master'),
  ]
  await http(sites.server, 'POST', '/auth/logout', { token: spent })
  const present = async () => (await stored(page))['parley.session']
  await page.goto(`${sites.server.host_url}/host/rooms?auth_token=${first}`)
  await page.getByRole('heading', { name: 'Rooms Master' }).waitFor()
  const before = await present()

  await Promise.all([verified(second), page.goto(`${sites.server.host_url}/host/rooms?auth_token=${second}`)])
  await page.getByRole('heading', { name: 'Rooms Master' }).waitFor()
  expect(await page.getByText('Sign in as someone else?').count()).toBe(0)

  await Promise.all([verified(spent), page.goto(`${sites.server.host_url}/host/rooms?auth_token=${spent}`)])
  await page.getByText('That sign-in link is not valid any more. You are still signed in as before.').waitFor()
  await page.getByRole('heading', { name: 'Rooms Master' }).waitFor()
  expect(await present()).toBe(before)
})

/** The server has been asked whose a token is, and has answered. */
const verified = (token: string) =>
  page.waitForResponse(
    (response) =>
      response.url().endsWith('/api/auth/verify') && response.request().headers().authorization === `Bearer ${token}`,
  )

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

describe('while the server does not answer', () => {
  beforeEach(async () => {
    await page.close()
    await openTab(still)
  })

  const isShown = (text: string) => () => page.getByText(text).isVisible()

  test('SEC-21 three silences lead to an empty master panel, which fills when the server is back', async () => {
    await page.route('**/api/auth/verify', (route) => route.fulfill({ status: 503, body: '' }))
    await page.goto(`${sites.server.master_url}/master/hosts?auth_token=${await sites.tokenOf('master')}`)
    await page.getByText('Loading...').waitFor()
    const passed = await passTimeUntil(page, isShown('Your sign-in could not be verified'))
    expect(passed).toBeGreaterThanOrEqual(2000)
    expect(asked('/api/auth/verify')).toHaveLength(3)
    await page.getByText('Master Panel').waitFor()
    expect(await page.getByText('Host Management').count()).toBe(1) // in the sidebar alone
    expect(asked('/api/admin')).toEqual([])

    await page.unroute('**/api/auth/verify')
    await page.getByRole('button', { name: 'Try again' }).click()
    await passTimeUntil(page, isShown(HOST.email))
  })

  test('a forged master who waits in the empty panel is sent away by the first refusal', async () => {
    await page.route('**/api/auth/verify', (route) => route.abort())
    await page.goto(`${sites.server.master_url}/master/hosts?auth_token=${forged}`)
    await passTimeUntil(page, isShown('Your sign-in could not be verified'))
    await page.unroute('**/api/auth/verify')
    await passTimeUntil(page, () => page.url().endsWith('/master-login')) // it asks again by itself
    expect(asked('/api/admin')).toEqual([])
  })

  test('a host is shown nothing at all until the server has answered', async () => {
    await page.route('**/api/auth/verify', (route) => route.abort())
    await page.goto(`${sites.server.host_url}/host/rooms?auth_token=${await sites.tokenOf('host')}`)
    await passTimeUntil(page, isShown('Parley does not answer'))
    expect(asked('/api/host')).toEqual([])
    await page.unroute('**/api/auth/verify')
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('heading', { name: 'Rooms Master' }).waitFor()
  })
})
