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

test('nothing on the dashboard moves when the last meeting and the charts arrive late', async ({
  hostPage: page,
  server,
}) => {
  const meeting = { id: 'abc==', started_at: '2026-11-20T10:00:00.000Z', ended_at: '2026-11-20T11:00:00.000Z' }
  const numbers = { users: 12, peak: 9, spoke_seconds: 900, recordings: 1, acts: 3, note: 'Read chapter two.' }
  const presence = {
    ...{ came: 12, most: 9, most_at: '2026-11-20T10:30:00.000Z', step_seconds: 60 },
    points: [{ at: '2026-11-20T10:30:00.000Z', present: 9, joined: 12, left: 3 }],
  }
  const days = Array.from({ length: 28 }, (_none, index) => ({
    day: `2026-11-${index + 1}`.replace(/-(\d)$/, '-0$1'),
    users: index,
  }))
  const late = (data: object) => {
    let answer = () => {}
    const answered = new Promise<void>((resolve) => {
      answer = resolve
    })
    return { answer, data, answered }
  }
  const meetings = late({ has_zoom: true, meetings: [{ ...meeting, ...numbers }], has_more: false })
  const charts = late({ days, last_meeting: { ...meeting, presence } })
  for (const [path, { answered, data }] of [
    ['**/api/host/meetings', meetings],
    ['**/api/host/dashboard/charts*', charts],
  ] as const)
    await page.route(path, async (route) => {
      await answered
      await route.fulfill({ json: { success: true, data } })
    })
  const data = {
    ...{ users: { total: 12, online: 0 }, rooms: { total: 1, active: 1 }, recordings: { total: 1 } },
    ...{ app_versions: { newest: null, older: 0 }, first_steps: null, room: { name: 'ROOM-1', is_active: true } },
    go_live: [{ subject: 'room', tone: 'good', title: 'The room is open', advice: 'Phones may sign in.' }],
  }
  await page.route('**/api/host/dashboard', (route) => route.fulfill({ json: { success: true, data } }))

  await page.goto(`${server.host_url}/host/dashboard`)
  await expect(page.getByText('Loading dashboard data...')).toBeVisible()
  meetings.answer()
  await expect(page.getByRole('heading', { name: 'Last meeting', exact: true })).toBeVisible()
  await expect(page.getByText('Loading charts...')).toBeVisible()
  const checks = page.getByRole('region', { name: 'Ready to go live?' })
  const placesOf = async () => [(await page.getByText('Total Users').boundingBox())?.y, (await checks.boundingBox())?.y]
  await expect(checks).toBeVisible()
  const before = await placesOf()
  charts.answer()
  await expect(page.getByRole('slider', { name: 'Users over the last meeting' }).locator('svg')).toBeVisible()
  expect(await placesOf()).toEqual(before)
})
