import type { Page } from '@playwright/test'
import { FAILED_CALL } from './support/console-errors.ts'
import { pressEnter } from './support/keys.ts'
import { tap } from './support/phone-app.ts'
import { expect, test } from './support/test.ts'

const SIGN_IN = 'button[type="submit"]'

/** The most bytes that a page receives until it can be used, excluding pictures and headers. */
const FIRST_LOADS = [
  { site: 'phone_url', path: '/', usable: SIGN_IN, limit: 110_000 },
  { site: 'public_url', path: '/', usable: 'h1', limit: 120_000 },
  { site: 'host_url', path: '/login', usable: SIGN_IN, limit: 120_000 },
  { site: 'master_url', path: '/master-login', usable: SIGN_IN, limit: 120_000 },
] as const

for (const { site, path, usable, limit } of FIRST_LOADS) {
  test(`${path} of ${site} can be used within ${limit / 1_000} kB`, async ({ page, server }) => {
    await page.addInitScript(noteWhenShown, usable)
    await page.goto(server[site] + path)
    await expect(page.locator(usable).first()).toBeEnabled()
    const total = await page.evaluate(bytesUntilShown)
    expect(total).toBeGreaterThan(70_000) // else it measures nothing, since React alone has 58 kB
    expect(total).toBeLessThan(limit)
  })
}

test('the phone app loads its other screens after the form, which can be filled in meanwhile', async ({
  page,
  server,
  host,
  addPeople,
}) => {
  const [person] = await addPeople(['Amina Yusuf'])
  let answer = () => {}
  const answered = new Promise<void>((resolve) => {
    answer = resolve
  })
  await page.route(SIGNED_IN, async (route) => {
    await answered
    await route.continue()
  })
  const requested = page.waitForRequest(SIGNED_IN) // without a tap
  await page.goto(`${server.phone_url}/?host=${host.user_id}`)
  await requested
  await signIn(page, person)
  await expect(page.getByRole('heading', { name: 'One moment…' })).toBeVisible()
  answer()
  await expect(tap(page, 'Join')).toBeVisible()
})

test('where the other screens of the phone app do not load, it says so, and a tap loads the page again', async ({
  page,
  server,
  host,
  addPeople,
  consoleErrors,
}) => {
  consoleErrors.allow(FAILED_CALL)
  const [person] = await addPeople(['Amina Yusuf'])
  await page.route(SIGNED_IN, (route) => route.abort())
  await page.goto(`${server.phone_url}/?host=${host.user_id}`)
  await signIn(page, person)
  await expect(page.getByRole('heading', { name: 'No connection' })).toBeVisible()
  await page.unroute(SIGNED_IN)
  const loaded = page.waitForEvent('load')
  await pressEnter(tap(page, 'Try again'))
  await loaded
  await expect(tap(page, 'Join')).toBeVisible()
})

const SIGNED_IN = '**/assets/signed-in-*.js'

async function signIn(page: Page, person: { username: string; password: string } | undefined) {
  await page.getByLabel('Username').fill(person?.username ?? '')
  await page.getByLabel('Password', { exact: true }).fill(person?.password ?? '')
  await tap(page, 'Sign in').press('Enter')
}

/** Runs in the page. */
function noteWhenShown(selector: string) {
  new MutationObserver((_, observer) => {
    if (!document.querySelector(selector)) return
    performance.mark('usable')
    observer.disconnect()
  }).observe(document, { childList: true, subtree: true })
}

/** Runs in the page. A request that was sent before counts as a whole. */
function bytesUntilShown(): number {
  const [usable] = performance.getEntriesByName('usable')
  const entries = [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')]
  return entries
    .filter((entry) => entry instanceof PerformanceResourceTiming)
    .filter(({ initiatorType, startTime }) => initiatorType !== 'img' && usable && startTime <= usable.startTime)
    .reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0)
}
