import { http } from '../server-process.ts'
import { FAILED_CALL } from './support/console-errors.ts'
import { test, tile } from './support/online-room.ts'
import { expect } from './support/test.ts'
import { addZoomHost } from './support/zoom-host.ts'

test('the search opens the tile of an online user, the row of an offline user, and a page', async ({
  page,
  server,
  room,
  openOnline,
}) => {
  const zoe = await room.join('Zoë Lindqvist')
  const ben = await room.join('Ben Carter')
  await openOnline()
  const filter = page.getByLabel('Filter participants')
  const jump = async (words: string, option: string | RegExp) => {
    await page.keyboard.press('/')
    await page.getByRole('combobox').fill(words)
    await page.getByRole('option', { name: option }).click()
    await expect(page.getByRole('combobox')).toHaveCount(0)
  }

  await jump('zoë', 'Zoë Lindqvist')
  await expect(filter).toHaveValue('U000012')
  await expect(tile(page, zoe)).toBeVisible()
  await expect(tile(page, ben)).toHaveCount(0)
  await expect(page).toHaveURL(`${server.host_url}/host/online`)
  await filter.fill('no such name')
  await expect(page.getByText('No users found')).toBeVisible()
  await filter.blur()

  const found = page.getByRole('table').getByRole('row', { name: 'Hannah Weiss' })
  await jump('hannah', /not online/)
  await expect(page).toHaveURL(`${server.host_url}/host/users`)
  await expect(found).toBeVisible()
  await expect(page.getByRole('row')).toHaveCount(2) // the other is the head
  await page.getByRole('button', { name: /^Inactive/ }).click()
  await expect(page.getByText('No users found')).toBeVisible()
  await jump('hannah', /not online/) // who is not among those
  await expect(found).toBeVisible()

  await jump('dash', 'Dashboard')
  await expect(page).toHaveURL(`${server.host_url}/host/dashboard`)
  await page.getByRole('button', { name: 'Menu' }).click()
  await expect(page.getByText('Admin Panel')).toHaveCount(0)
  await page.getByRole('link', { name: 'Users Master' }).first().click()
  await expect(page).toHaveURL(`${server.host_url}/host/users`)
})

test('the dashboard shows a failure to load, and can be retried', async ({ hostPage: page, server, consoleErrors }) => {
  consoleErrors.allow(FAILED_CALL)
  let isFailing = true
  await page.route('**/api/host/dashboard', async (route) => {
    if (!isFailing) return route.fallback()
    await expect(page.getByText('Loading dashboard data...')).toBeVisible()
    await route.abort()
  })
  await page.goto(`${server.host_url}/host/dashboard`)
  await expect(page.getByRole('heading', { name: 'Error Loading Dashboard' })).toBeVisible()
  await expect(page.getByText('Failed to load dashboard data. Please try refreshing the page.')).toBeVisible()
  isFailing = false
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByText('Total Users')).toBeVisible()
})

test.describe('with Zoom', () => {
  test.use({ host: async ({ server }, use) => use(await addZoomHost(server)) })

  test('the dashboard lists what a meeting needs', async ({ hostPage: page, server, host, room }) => {
    for (const [name, app_version] of [
      ['Amina Yusuf', '2.4.1'],
      ['Ben Carter', '2.4.0'],
    ] as const) {
      const { username, password } = room.personNamed(name)
      const phone = { device_id: `phone of ${name}`, device_model: 'Pixel', platform: 'android', app_version }
      const body = { host_id: host.user_id, username, password, ...phone }
      expect(await http(server, 'POST', '/mobile/login', { body })).toMatchObject({ status: 200 })
    }
    await page.goto(`${server.host_url}/host/dashboard`)
    await expect(page.getByText('Ready to go live?')).toBeVisible()
    await expect(page.getByText('Zoom is connected', { exact: true })).toBeVisible()
    await expect(page.getByText('1 phone has an older app')).toBeVisible()
  })
})
