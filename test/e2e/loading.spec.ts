import { expect, test } from './support/test.ts'

test('the spinner of a page that loads is round and turns, and is still with reduced motion', async ({
  hostPage: page,
  server,
}) => {
  let answer = () => {}
  const answered = new Promise<void>((resolve) => {
    answer = resolve
  })
  await page.route('**/api/host/dashboard', async (route) => {
    await answered
    await route.continue()
  })
  await page.emulateMedia({ reducedMotion: 'no-preference' })
  await page.goto(`${server.host_url}/host/dashboard`)
  const spinner = page.locator('[class*="spinner"]').filter({ visible: true })
  await expect(page.getByText('Loading dashboard data...')).toBeVisible()
  const look = () =>
    spinner.evaluate((element) => {
      const { width, height } = getComputedStyle(element)
      const running = element.getAnimations().filter(({ playState }) => playState === 'running')
      return { width, height, turns: running.length > 0 }
    })
  expect(await look()).toEqual({ width: '22px', height: '22px', turns: true })
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await expect.poll(look).toEqual({ width: '22px', height: '22px', turns: false })
  answer()
  await expect(page.getByText('Total Users')).toBeVisible()
})

test('a spinner stands where the panel will be while its code is on the way', async ({ hostPage: page, server }) => {
  let answer = () => {}
  const answered = new Promise<void>((resolve) => {
    answer = resolve
  })
  await page.route('**/assets/HostLayout-*.js', async (route) => {
    await answered
    await route.continue()
  })
  const asked = page.waitForRequest('**/assets/HostLayout-*.js')
  await page.goto(`${server.host_url}/login`)
  await asked
  await expect(page.getByRole('status').getByText('Loading...')).toBeVisible()
  answer()
  await expect(page.getByRole('heading', { name: 'Dashboard' })).toBeVisible()
})
