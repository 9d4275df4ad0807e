import { expectInSight } from './support/in-sight.ts'
import { GALLERY, showScreen } from './support/phone-gallery/build-gallery.ts'
import { expect, test } from './support/test.ts'

const SIZES = [
  { width: 390, height: 844 },
  { width: 320, height: 568 },
  { width: 844, height: 390 },
]
/** The app's own text size, and 200 % of it. */
const TEXTS = ['112.5%', '225%']

/** The texts that must be on screen, whatever else is. */
const STATES: Record<string, string[]> = {
  'room-listening': ['Your microphone is off'],
  'room-heard': ['You can be heard'],
  'room-muted': ['The host has muted you'],
  'room-muted-all-queue': ['The host has muted everyone'],
  'room-joining': ['No sound yet…'],
  'room-lost': ['The sound is lost', 'Connection to Parley lost'],
  'room-blocked': ['The browser holds the sound back'],
  'room-microphone-silenced': ['Your microphone is off'],
  'room-microphone-refused': ['You are listening only'],
  'room-asked': ['Your microphone is off'],
  'room-word': ['Your microphone is off', 'We begin in five minutes'],
  'room-words-long': ['Your microphone is off'],
}

for (const [screen, words] of Object.entries(STATES)) {
  test(`whether one hears and is heard in the room is never off the screen: ${screen}`, async ({ page, gallery }) => {
    await gallery.show(page)
    await page.goto(`${GALLERY}/?screen=${screen}`)
    for (const size of SIZES) {
      for (const text of TEXTS) {
        await page.setViewportSize(size)
        await showScreen(page, screen)
        await expect(page.locator('h1')).toBeVisible()
        await page.locator('html').evaluate((html, value) => {
          html.style.fontSize = value
        }, text)
        const where = `${screen} at ${size.width}x${size.height}, text ${text}`
        for (const one of words) await expectInSight(page.getByText(one, { exact: true }).first(), where)
        if (screen === 'room-asked')
          for (const name of ['Speak', 'Not now'])
            await expectInSight(page.getByRole('button', { name, exact: true }), `${name}, ${where}`)
        await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight))
        const [own = ''] = words
        await expectInSight(page.getByText(own, { exact: true }).first(), `${where}, scrolled`)
      }
    }
  })
}

test('a refused sign-in is seen without scrolling, with the way out', async ({ page, gallery, consoleErrors }) => {
  consoleErrors.allow(/Failed to load resource/)
  await gallery.show(page)
  let code = 'wrong_credentials'
  await page.route(`${GALLERY}/api/mobile/login`, (route) =>
    route.fulfill({ status: 401, json: { success: false, message: 'Refused', code } }),
  )
  for (const size of [
    { width: 390, height: 844 },
    { width: 320, height: 568 },
  ]) {
    await page.setViewportSize(size)
    await page.goto(`${GALLERY}/?screen=sign-in`)
    await expect(page.getByText('You are signing in to')).toBeVisible()
    await page.getByLabel('Username').fill('amina')
    await page.getByLabel('Password', { exact: true }).fill('wrong')
    code = 'wrong_credentials'
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await expectInSight(page.getByRole('alert'), `wrong password at ${size.width}`)
    await expect(page.getByLabel('Password', { exact: true })).toHaveAttribute('aria-invalid', 'true')
    await expect(page.getByLabel('Host ID')).not.toHaveAttribute('aria-invalid')
    code = 'device_mismatch'
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await expectInSight(page.getByRole('alert'), `another phone at ${size.width}`)
    await expectInSight(
      page.getByRole('button', { name: 'Ask the host to switch to this phone' }),
      `the way out at ${size.width}`,
    )
    await expect(page.getByLabel('Password', { exact: true })).not.toHaveAttribute('aria-invalid')
  }
})
