import { http } from '../server-process.ts'
import { FAILED_CALL } from './support/console-errors.ts'
import { storedSession } from './support/hosts.ts'
import { expect, test } from './support/test.ts'

test('a 401 signs out and redirects to the login', async ({ hostPage: page, server, host, consoleErrors }) => {
  consoleErrors.allow(FAILED_CALL)
  await page.goto(`${server.host_url}/host/users`) // it polls
  await expect(page.getByText('No users found')).toBeVisible()
  await http(server, 'POST', '/auth/host/logout', { token: host.token })
  await expect(page).toHaveURL(`${server.host_url}/login`)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  expect(await storedSession(page)).not.toHaveProperty('parley.session')
})

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
