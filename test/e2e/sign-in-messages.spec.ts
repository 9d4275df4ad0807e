import { http, MASTER } from '../server-process.ts'
import { FAILED_CALL } from './support/console-errors.ts'
import { keepSession, logInHost, logInMaster, storedSession } from './support/hosts.ts'
import { stopTime } from './support/page-time.ts'
import { expect, test } from './support/test.ts'
import { expectToast } from './support/toasts.ts'

test("the host login requires both fields, and shows the server's message", async ({
  page,
  server,
  host,
  master,
  consoleErrors,
}) => {
  consoleErrors.allow(FAILED_CALL)
  await page.goto(`${server.host_url}/login`)
  await expect(page).toHaveTitle('Host Login · Parley')
  await expect(page.getByText('Contact your administrator for login credentials', { exact: true })).toBeVisible()
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(page.getByText('Username is required', { exact: true })).toBeVisible()
  await expect(page.getByText('Password is required', { exact: true })).toBeVisible()
  await expect(page.getByLabel('Username')).toHaveAttribute('aria-invalid', 'true')
  await expect(page.getByLabel('Username')).toBeFocused()
  await page.getByLabel('Username').fill('a')
  await expect(page.getByText('Username is required')).toHaveCount(0)

  await logInHost(page, { ...host, password: 'wrong' })
  await expectToast(page, 'Invalid username or password')

  await http(server, 'POST', `/admin/hosts/${host.id}/cancel-subscription`, { token: master.token })
  await logInHost(page, host)
  await expectToast(page, 'Your subscription has been cancelled. Please contact your administrator.')
})

test('reports a login without a connection', async ({ page, server, host, consoleErrors }) => {
  consoleErrors.allow(FAILED_CALL)
  await page.goto(`${server.host_url}/login`)
  await page.route('**/api/auth/host/login', (route) => route.abort())
  await logInHost(page, host)
  await expectToast(page, 'Login failed')

  await page.goto(`${server.master_url}/master-login`)
  const failure = page.getByRole('alert')
  await page.route('**/api/auth/master-login', (route) => route.abort(), { times: 1 })
  await logInMaster(page)
  await expect(failure).toHaveText('Network error. Please try again.')
  // What stands in for the server here is broken, and has no words of ours.
  await page.route('**/api/auth/master-login', (route) => route.fulfill({ status: 502, body: '<html>Bad Gateway' }))
  await logInMaster(page)
  await expect(failure).toHaveText('Login failed')
})

test('the master login validates its fields, and shows a refusal in the page', async ({
  page,
  server,
  consoleErrors,
}) => {
  consoleErrors.allow(FAILED_CALL)
  await page.goto(`${server.master_url}/master-login`)
  await expect(page).toHaveTitle('Master Admin Login · Parley')
  await expect(page.getByText('Master admin access only', { exact: true })).toBeVisible()
  await logInMaster(page, { email: 'master', password: 'seven77' })
  await expect(page.getByText('Invalid email address', { exact: true })).toBeVisible()
  await expect(page.getByText('Password must be at least 8 characters', { exact: true })).toBeVisible()
  await logInMaster(page, { email: MASTER.email, password: 'not the password' })
  await expect(page.getByRole('alert')).toHaveText('Invalid email or password')
})

test('a password can be shown, works with a password manager, and warns of Caps Lock', async ({ page, server }) => {
  await page.goto(`${server.host_url}/login`)
  const username = page.getByLabel('Username')
  const password = page.getByLabel(/^Password/)
  await expect(username).toHaveAttribute('autocomplete', 'username')
  await expect(username).toBeFocused()
  await page.keyboard.press('Tab')
  await page.keyboard.type('secret')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect(password).toHaveAttribute('type', 'text')
  await expect(password).toHaveAttribute('autocomplete', 'current-password')
  await expect(password).toHaveValue('secret')
  await page.getByRole('button', { name: 'Hide password' }).click()
  await expect(password).toHaveAttribute('type', 'password')

  await password.focus()
  await password.dispatchEvent('keydown', { key: 'A', modifierCapsLock: true })
  await expect(page.getByText('Caps Lock is on', { exact: true })).toBeVisible()
})

test('a login opens the requested page, stores only what it needs, and ends in the browser and the server', async ({
  page,
  server,
  host,
}) => {
  await page.goto(`${server.host_url}/host/rooms`)
  await expect(page).toHaveURL(`${server.host_url}/login`)
  const answered = page.waitForResponse('**/api/auth/host/login')
  await logInHost(page, host)
  await expectToast(page, 'Login successful!')
  await expect(page).toHaveURL(`${server.host_url}/host/rooms`)
  await expect(page.getByRole('heading', { name: 'Rooms Master' })).toBeVisible()

  const { token } = (await (await answered).json()).data
  const kept = await storedSession(page)
  expect(Object.keys(kept)).toEqual(['parley.session'])
  expect(JSON.stringify(kept)).not.toContain(token)
  const plain = decodeURIComponent(atob((kept['parley.session'] ?? '').split('').reverse().join('')))
  expect(Object.keys(JSON.parse(plain).user).sort()).toEqual(['full_name', 'id', 'role', 'username'])

  const ended = page.waitForResponse('**/api/auth/host/logout')
  await page.getByRole('button', { name: 'Log out' }).click()
  await expectToast(page, 'Logged out successfully')
  expect((await ended).status()).toBe(200)
  await expect(page).toHaveURL(`${server.host_url}/login`)
  expect(await storedSession(page)).toEqual({})
  expect((await http(server, 'POST', '/auth/verify', { token, body: {} })).status).toBe(401)
})

test('a master is greeted for four seconds, and logged out at the server too', async ({ page, server }) => {
  await stopTime(page)
  await page.goto(`${server.master_url}/master-login`)
  await logInMaster(page)
  const greeting = page.getByRole('region', { name: 'Messages' }).getByText('Master login successful!', { exact: true })
  await expect(greeting).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Host Management' })).toBeVisible()
  await page.clock.runFor(3_900)
  await expect(greeting).toBeVisible()
  await page.clock.runFor(200)
  await expect(greeting).toHaveCount(0)
  await page.clock.resume()

  const ended = page.waitForResponse('**/api/auth/logout')
  await page.getByRole('button', { name: 'Log out' }).click()
  expect((await ended).status()).toBe(200)
  await expectToast(page, 'Logged out successfully')
  await expect(page).toHaveURL(`${server.master_url}/master-login`)
  expect(await storedSession(page)).toEqual({})
})

for (const [site, end] of [
  ['host', '/login'],
  ['public', '/'],
] as const) {
  test(`a 401 on the ${site} site signs out and redirects to ${end}`, async ({ page, server, host, consoleErrors }) => {
    consoleErrors.allow(FAILED_CALL)
    const url = server[`${site}_url`]
    await keepSession(page, url, host)
    await page.goto(`${url}/host/users`) // it polls
    await expect(page.getByText('No users found')).toBeVisible()
    await http(server, 'POST', '/auth/host/logout', { token: host.token })
    await expect(page).toHaveURL(url + end)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    expect(await storedSession(page)).not.toHaveProperty('parley.session')
  })
}

test('tabs of one session are signed out together, and others learn only that something changed', async ({
  hostPage: page,
  server,
  consoleErrors,
}) => {
  consoleErrors.allow(FAILED_CALL)
  await page.goto(`${server.host_url}/host/app-info`)
  await expect(page.getByRole('heading', { name: 'App Info.' })).toBeVisible()
  // A tab that is opened by a page begins with a copy of its session.
  const opened = page.waitForEvent('popup')
  await page.evaluate(() => void window.open('/host/rooms'))
  const other = await opened
  await expect(other.getByRole('heading', { name: 'Rooms Master' })).toBeVisible()
  const stranger = await page.context().newPage()
  await stranger.goto(`${server.host_url}/login`)
  await stranger.evaluate(() => {
    const received: unknown[] = []
    Object.assign(window, { received })
    new BroadcastChannel('parley-session').onmessage = ({ data }) => received.push(data)
  })

  await page.getByRole('button', { name: 'Log out' }).click()
  await expect(other).toHaveURL(`${server.host_url}/login`)
  expect(await storedSession(other)).not.toHaveProperty('parley.session')
  await expect.poll(() => stranger.evaluate(() => Reflect.get(window, 'received'))).toEqual(['changed'])
})
