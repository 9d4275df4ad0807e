import { http } from '../servers/server-process.ts'
import { FAILED_CALL } from './support/console-errors.ts'
import { storedSession } from './support/hosts.ts'
import { expect, test } from './support/test.ts'

test('a 401 signs out, and the login says why until the next sign-in, which a login opened by hand leads to the dashboard', async ({
  hostPage: page,
  server,
  host,
  master,
  consoleErrors,
}) => {
  consoleErrors.allow(FAILED_CALL)
  const why = page.getByText(/^You were signed out because your subscription has been cancelled;/)
  await page.goto(`${server.host_url}/host/online`)
  await expect(page.getByText('No users are currently online')).toBeVisible()
  await http(server, 'POST', `/admin/hosts/${host.id}/cancel-subscription`, { token: master.token })
  await expect(page).toHaveURL(`${server.host_url}/login`)
  await expect(why).toBeVisible()
  expect(await storedSession(page)).not.toHaveProperty('parley.session')
  await page.reload()
  await expect(why).toBeVisible()

  await http(server, 'POST', `/admin/hosts/${host.id}/extend-subscription`, {
    token: master.token,
    body: { additional_months: 1 },
  })
  await page.goto(`${server.host_url}/login`)
  await page.getByLabel('Username').fill(host.username)
  await page.getByLabel('Password', { exact: true }).fill(host.password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(page).toHaveURL(`${server.host_url}/host/dashboard`)
  await page.getByRole('button', { name: 'Log out' }).click()
  await expect(page.getByRole('heading', { name: 'Host Login' })).toBeVisible()
  await expect(why).toHaveCount(0)
})

test('text typed in App Info is back after the next sign-in', async ({
  hostPage: page,
  server,
  host,
  master,
  consoleErrors,
}) => {
  consoleErrors.allow(FAILED_CALL)
  await page.goto(`${server.host_url}/host/app-info`)
  await page.getByLabel('Message', { exact: true }).fill('Rehearsal at six.')
  const as = { token: master.token }
  await http(server, 'POST', `/admin/hosts/${host.id}/cancel-subscription`, as)
  await page.getByRole('button', { name: 'Save changes' }).click()
  await expect(page).toHaveURL(`${server.host_url}/login`)
  await http(server, 'POST', `/admin/hosts/${host.id}/extend-subscription`, { ...as, body: { additional_months: 1 } })
  await page.getByLabel('Username').fill(host.username)
  await page.getByLabel('Password', { exact: true }).fill(host.password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(page).toHaveURL(`${server.host_url}/host/app-info`)
  await expect(page.getByLabel('Message', { exact: true })).toHaveValue('Rehearsal at six.')
  await expect(page.getByText(/^What you typed before you were signed out is back/)).toBeVisible()
})

test('tabs of one session are signed out together, and others learn only that something changed', async ({
  hostPage: page,
  server,
  consoleErrors,
}) => {
  consoleErrors.allow(FAILED_CALL)
  await page.goto(`${server.host_url}/host/app-info`)
  await expect(page.getByRole('heading', { name: 'App Info.' })).toBeVisible()
  // A tab that a page opens starts with a copy of its session.
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
  await expect(other.getByText('You signed out in another tab.')).toBeVisible()
  await expect(page.getByText('You signed out in another tab.')).toHaveCount(0)
  await expect.poll(() => stranger.evaluate(() => Reflect.get(window, 'received'))).toEqual(['changed'])
})
