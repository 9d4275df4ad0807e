import type { Page } from '@playwright/test'
import { http } from '../servers/server-process.ts'
import { FAILED_CALL } from './support/console-errors.ts'
import { storedSession } from './support/hosts.ts'
import { recordRequests } from './support/requests.ts'
import { expect, test } from './support/test.ts'

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
  await page.goto(`${server.master_url}/support`)
  await page.goto(`${server.host_url}/host/users?auth_token=${token}`) // leads to the master site
  await expect(question(page, user)).toBeVisible()
  await expect(button(page, 'Do not sign in')).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'Master Admin Login' })).toBeVisible()
  expect(await storedSession(page)).not.toHaveProperty('parley.session')

  await page.goto(`${server.host_url}/host/host-master?auth_token=${token}`)
  await button(page, `Sign in as ${user.username}`).click()
  await expect(page.getByRole('navigation', { name: 'Master Panel' })).toBeVisible()
  await page.goto(`${server.master_url}/support`)
  await page.goBack()
  await expect(page).toHaveURL(`${server.master_url}/host/host-master`)
  await expect(page.getByRole('navigation', { name: 'Master Panel' })).toBeVisible()
  await expect(question(page, user)).toHaveCount(0)

  await hostPage.reload() // the other tab is unaffected
  await expect(hostPage.getByRole('heading', { name: 'Rooms Master' })).toBeVisible()
  expect((await http(server, 'GET', '/host/profile', { token: host.token })).status).toBe(200)
})

test('asks before a token replaces a signed-in user', async ({ masterPage: page, server, host, master }) => {
  const address = `${server.master_url}/host/host-master`
  const panel = (name: string) => page.getByRole('navigation', { name })
  await page.goto(`${address}?auth_token=${host.token}`)
  await expect(question(page, host)).toBeVisible()
  await button(page, `Stay signed in as ${master.user.username}`).click()
  await expect(panel('Master Panel')).toBeVisible()
  await page.reload()
  await expect(panel('Master Panel')).toBeVisible()

  await page.goto(`${address}?auth_token=${host.token}`)
  await button(page, `Sign in as ${host.username}`).click()
  await expect(panel('Admin Panel')).toBeVisible()
  await expect(page).toHaveURL(address)
  // The page reloads while the other session ends, which only the server can confirm.
  await expect.poll(async () => (await http(server, 'GET', '/admin/hosts', master)).status).toBe(401)
})

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const question = (page: Page, { username }: { username: string }) =>
  page.getByRole('heading', { name: `Sign in as ${username} in this browser?` })
