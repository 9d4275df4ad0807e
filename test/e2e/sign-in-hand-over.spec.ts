import type { Page, Response } from '@playwright/test'
import { http, signInMaster } from '../server-process.ts'
import { FAILED_CALL } from './support/console-errors.ts'
import { signInHost, storedSession } from './support/hosts.ts'
import { passTimeUntil, stopTime } from './support/page-time.ts'
import { recordRequests, requestsTo } from './support/requests.ts'
import { expect, test } from './support/test.ts'

const VERIFY = '/api/auth/verify'
const UNVERIFIED = 'Your sign-in could not be verified'

const base64 = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
/** What anybody can write. */
const forged = `${base64({ alg: 'none' })}.${base64({ adminId: 'm1', role: 'master' })}.`

test('a token in the address signs in once, after a confirmation, and is neither sent nor kept afterwards', async ({
  page,
  server,
  master: { token, user },
  newContext,
  consoleErrors,
}) => {
  consoleErrors.allow(FAILED_CALL)
  const requests = recordRequests(page)
  const link = `${server.master_url}/master/hosts/add?modal=add-host&auth_token=${token}`
  await page.goto(link)
  await expect(question(page, user)).toBeVisible()
  expect(await storedSession(page)).toEqual({})
  await button(page, `Sign in as ${user.username}`).click()
  await expect(page.getByRole('dialog', { name: 'Add New Host Account' })).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Host Management', includeHidden: true })).toBeVisible()
  await expect(page).toHaveURL(`${server.master_url}/master/hosts/add`)

  const [first, ...later] = requests
  expect(first?.url()).toContain(token)
  const sent = later.map((request) => [request.url(), request.headers().referer])
  expect(JSON.stringify(sent)).not.toContain(token)
  expect(JSON.stringify(await storedSession(page))).not.toContain(token)

  await page.reload()
  await expect(page.getByRole('navigation', { name: 'Master Panel' })).toBeVisible()
  expect((await http(server, 'GET', '/admin/hosts', { token })).status).toBe(401)
  const other = await (await newContext()).newPage()
  await other.goto(link)
  await expect(other.getByRole('heading', { name: 'Master Admin Login' })).toBeVisible()
  await expect(other.getByText('That sign-in link is not valid any more.', { exact: true })).toBeVisible()
})

test('a link in a new tab does not sign in without a confirmation, and Back does not ask again', async ({
  context,
  hostPage,
  server,
  host,
  master: { token, user },
}) => {
  await hostPage.goto(`${server.host_url}/host/rooms`)
  const page = await context.newPage()
  await page.goto(`${server.host_url}/support`)
  await page.goto(`${server.host_url}/host/users?auth_token=${token}`)
  await expect(question(page, user)).toBeVisible()
  await expect(button(page, 'Do not sign in')).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'Host Login' })).toBeVisible()
  expect(await storedSession(page)).not.toHaveProperty('parley.session')

  await page.goto(`${server.host_url}/host/host-master?auth_token=${token}`)
  await button(page, `Sign in as ${user.username}`).click()
  await expect(page.getByRole('navigation', { name: 'Master Panel' })).toBeVisible()
  await page.goto(`${server.host_url}/support`)
  await page.goBack()
  await expect(page).toHaveURL(`${server.host_url}/host/host-master`)
  await expect(page.getByRole('navigation', { name: 'Master Panel' })).toBeVisible()
  await expect(question(page, user)).toHaveCount(0)

  await hostPage.reload() // the other tab is as it was
  await expect(hostPage.getByRole('heading', { name: 'Rooms Master' })).toBeVisible()
  expect((await http(server, 'GET', '/host/profile', { token: host.token })).status).toBe(200)
})

test('asks before a token replaces a signed-in user', async ({ hostPage: page, server, host, master }) => {
  const address = `${server.host_url}/host/host-master`
  const panel = (name: string) => page.getByRole('navigation', { name })
  await page.goto(`${address}?auth_token=${master.token}`)
  await expect(question(page, master.user)).toBeVisible()
  await button(page, `Stay signed in as ${host.username}`).click()
  await expect(panel('Admin Panel')).toBeVisible()
  await page.reload()
  await expect(panel('Admin Panel')).toBeVisible()

  await page.goto(`${address}?auth_token=${master.token}`)
  await button(page, `Sign in as ${master.user.username}`).click()
  await expect(panel('Master Panel')).toBeVisible()
  await expect(page).toHaveURL(address)
  // The page reloads while the other session ends, which only the server shows.
  await expect.poll(async () => (await http(server, 'GET', '/host/profile', host)).status).toBe(401)
})

test('does not ask for the same user, and a used link changes nothing', async ({
  hostPage: page,
  server,
  host,
  consoleErrors,
}) => {
  consoleErrors.allow(FAILED_CALL)
  const heading = page.getByRole('heading', { name: 'Rooms Master' })
  const open = async (token: string) => {
    const answered = verified(page, token)
    await page.goto(`${server.host_url}/host/rooms?auth_token=${token}`)
    await answered
  }
  await page.goto(`${server.host_url}/host/rooms`)
  await expect(heading).toBeVisible()
  const present = await storedSession(page)

  await open((await signInHost(server, host)).token)
  await page.getByRole('link', { name: 'App Info.' }).click() // a question would stand in its place
  await expect(page.getByRole('heading', { name: 'App Info.' })).toBeVisible()
  expect(await storedSession(page)).toEqual(present)

  const spent = await signInMaster(server)
  await http(server, 'POST', '/auth/logout', { token: spent })
  await open(spent)
  await expect(
    page.getByText('That sign-in link is not valid any more. You are still signed in as before.'),
  ).toBeVisible()
  await expect(heading).toBeVisible()
  expect(await storedSession(page)).toEqual(present)
})

test('an unsigned token gives no access, and ends at the login', async ({ page, server, consoleErrors }) => {
  consoleErrors.allow(FAILED_CALL)
  const requests = recordRequests(page)
  await page.goto(`${server.master_url}/master/hosts?auth_token=${forged}`)
  await expect(page).toHaveURL(`${server.master_url}/master-login`)
  await expect(page.getByRole('heading', { name: 'Master Admin Login' })).toBeVisible()
  expect(requestsTo(requests, VERIFY)).toHaveLength(1) // a refusal is not questioned again
  expect(requestsTo(requests, '/api/admin')).toEqual([])
  expect(await storedSession(page)).not.toHaveProperty('parley.session')
})

test('three unanswered tries lead to an empty master panel, which fills when the server is back', async ({
  page,
  server,
  host,
  master,
  consoleErrors,
}) => {
  consoleErrors.allow(FAILED_CALL)
  await stopTime(page)
  const requests = recordRequests(page)
  await page.route(`**${VERIFY}`, (route) => route.fulfill({ status: 503, body: '' }))
  await page.goto(`${server.master_url}/master/hosts?q=${host.email}&auth_token=${master.token}`)
  await expect(page.getByText('Loading...')).toBeVisible()
  await passTimeUntil(page, () => requestsTo(requests, VERIFY).length === 3)
  await expect(page.getByText('the owner of this link is not confirmed yet')).toBeVisible()
  await button(page, 'Sign in as Master').click()
  await expect(page.getByText(UNVERIFIED)).toBeVisible()
  await expect(page.getByText('Master Panel')).toBeVisible()
  await expect(page.getByText('Host Management')).toHaveCount(1) // in the sidebar alone
  expect(requestsTo(requests, VERIFY)).toHaveLength(3)
  expect(requestsTo(requests, '/api/admin')).toEqual([])

  await page.unroute(`**${VERIFY}`)
  await page.clock.resume()
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('row', { name: host.email })).toBeVisible()
})

test('a forged master token leaves the empty panel at the first refusal', async ({ page, server, consoleErrors }) => {
  consoleErrors.allow(FAILED_CALL)
  await stopTime(page)
  const requests = recordRequests(page)
  await page.route(`**${VERIFY}`, (route) => route.abort())
  await page.goto(`${server.master_url}/master/hosts?auth_token=${forged}`)
  await passTimeUntil(page, () => requestsTo(requests, VERIFY).length === 3)
  await button(page, 'Sign in as Master').click()
  await expect(page.getByText(UNVERIFIED)).toBeVisible()
  await page.unroute(`**${VERIFY}`)
  await passTimeUntil(page, () => requestsTo(requests, VERIFY).length === 4) // it tries again by itself
  await expect(page).toHaveURL(`${server.master_url}/master-login`)
  expect(requestsTo(requests, '/api/admin')).toEqual([])
})

test('shows a host nothing until the server has answered', async ({ page, server, host, consoleErrors }) => {
  consoleErrors.allow(FAILED_CALL)
  await stopTime(page)
  const requests = recordRequests(page)
  await page.route(`**${VERIFY}`, (route) => route.abort())
  await page.goto(`${server.host_url}/host/rooms?auth_token=${host.token}`)
  await passTimeUntil(page, () => requestsTo(requests, VERIFY).length === 3)
  await expect(page.getByText('Parley does not answer')).toBeVisible()
  expect(requestsTo(requests, '/api/host')).toEqual([])

  await page.unroute(`**${VERIFY}`)
  await button(page, 'Try again').click()
  await button(page, `Sign in as ${host.username}`).click()
  await expect(page.getByRole('heading', { name: 'Rooms Master' })).toBeVisible()
})

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const question = (page: Page, { username }: { username: string }) =>
  page.getByRole('heading', { name: `Sign in as ${username} on this device?` })

/** The server has answered whose the token is. */
function verified(page: Page, token: string): Promise<Response> {
  return page.waitForResponse(
    (response) => response.url().endsWith(VERIFY) && response.request().headers().authorization === `Bearer ${token}`,
  )
}
