import type { Locator, Page } from '@playwright/test'
import { axeViolations, expectNoSidewaysScroll } from './support/accessibility.ts'
import { GALLERY, showScreen } from './support/phone-gallery/build-gallery.ts'
import { expect, test } from './support/test.ts'

const LANGUAGES = ['en', 'es', 'hi', 'ar']
const PHONE = { width: 320, height: 640 }
/** The size of the text that the user has set in the browser: none, or 200 % of the app's own. */
const LOOKS = [
  { name: 'light', colorScheme: 'light', size: PHONE, text: '', isCheckedByAxe: true },
  { name: 'dark', colorScheme: 'dark', size: PHONE, text: '', isCheckedByAxe: true },
  { name: 'landscape', colorScheme: 'dark', size: { width: 640, height: 320 }, text: '', isCheckedByAxe: false },
  { name: 'large text', colorScheme: 'dark', size: PHONE, text: '225%', isCheckedByAxe: false },
] as const

for (const language of LANGUAGES) {
  test(`each screen of the phone app fits at 320 px, with 200 % text and in a low landscape, and axe finds nothing, in ${language}`, async ({
    page,
    gallery,
  }) => {
    await gallery.show(page)
    await page.goto(`${GALLERY}/?screen=lobby&language=${language}`)
    const screens = await namesOfScreens(page)
    expect(screens.length).toBeGreaterThan(30)
    for (const { name, colorScheme, size, text, isCheckedByAxe } of LOOKS) {
      await page.setViewportSize(size)
      await page.emulateMedia({ colorScheme })
      await page.locator('html').evaluate((html, fontSize) => {
        html.style.fontSize = fontSize
      }, text)
      for (const screen of screens) {
        await showScreen(page, screen, language)
        await expect(page.locator(`html[lang="${language}"] h1`)).toBeVisible()
        await expectNoSidewaysScroll(page, `${screen} in ${name}`)
        if (isCheckedByAxe) await expect.poll(() => axeViolations(page), `${screen} in ${name}`).toEqual([])
      }
    }
  })
}

test('the dialogs of the room fit, close by Escape, and give the focus back', async ({ page, gallery }) => {
  await gallery.show(page)
  await page.setViewportSize({ width: 320, height: 640 })
  await page.goto(`${GALLERY}/?screen=room-listening`)
  for (const name of ['Open in the Zoom app', 'Leave']) {
    const opener = page.getByRole('button', { name, exact: true })
    await opener.click()
    await expect(page.getByRole('dialog')).toBeVisible()
    await expectNoSidewaysScroll(page, name)
    await expect.poll(() => axeViolations(page), name).toEqual([])
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toBeHidden()
    await expect(opener).toBeFocused()
  }
})

test('words that wrap begin beside their icon, and a heading leaves no single word for its last line', async ({
  page,
  gallery,
}) => {
  await gallery.show(page)
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto(`${GALLERY}/?screen=room-unsent-hand`)
  const lines = (words: Locator) =>
    words.evaluate((element) => {
      const range = document.createRange()
      range.selectNodeContents(element)
      return [...range.getClientRects()].map(({ left, width }) => ({ left, width }))
    })
  const unsent = page.locator('b').filter({ hasText: 'Not sent yet' })
  await expect.poll(async () => new Set((await lines(unsent)).map(({ left }) => left)).size).toBe(1)
  await page.goto(`${GALLERY}/?screen=room-asked`)
  const asked = page.locator('h2 span').filter({ hasText: 'The host asks you to speak' })
  await expect
    .poll(async () => {
      const [first, last] = await lines(asked)
      return Number(last?.width) / Number(first?.width)
    })
    .toBeGreaterThan(0.5)
})

test('a user signs in by keyboard alone, in another language, without a breach of the policy', async ({
  page,
  server,
  host,
  addPeople,
}) => {
  const [maria] = await addPeople(['Maria'])
  if (!maria) throw new Error('Nobody was added')
  await page.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) => {
      document.documentElement.dataset.breach = `${violatedDirective} ${blockedURI}`
    })
  })
  await page.goto(`${server.phone_url}/?host=${host.user_id}`)
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeFocused()
  await expect(page.getByText('You are signing in to')).toBeVisible()
  await tabTo(page, page.getByLabel('Username'))
  await page.keyboard.type('Maria')
  await tabTo(page, page.getByLabel('Password', { exact: true }))
  await page.keyboard.type(maria.password)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'Before you join' })).toBeFocused()
  await expect(page.getByText('Maria', { exact: true })).toBeVisible()
  await page.getByRole('combobox', { name: 'Language' }).selectOption('ar')
  await expect(page.locator('html[dir="rtl"][lang="ar"]')).toBeVisible()
  await page.reload()
  await expect(page.getByRole('heading', { name: 'قبل أن تنضم' })).toBeVisible()
  await expect(page.locator('html')).not.toHaveAttribute('data-breach')
})

test('the mark of the demo leaves the language beside the name, in each language', async ({ page, server, host }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto(`${server.phone_url}/?host=${host.user_id}`)
  await expect(page.getByText('Demo Zoom', { exact: true })).toBeVisible()
  const language = page.locator('header select')
  for (const code of LANGUAGES) {
    await language.selectOption(code)
    await expect(page.locator(`html[lang="${code}"]`)).toBeVisible()
    const offset = () =>
      page.locator('header > *').evaluateAll((parts) => {
        const middles = parts.map((part) => {
          const { top, bottom } = part.getBoundingClientRect()
          return (top + bottom) / 2
        })
        return Math.max(...middles) - Math.min(...middles)
      })
    await expect.poll(offset, code).toBeLessThan(2) // one row
  }
})

/** Presses Tab until the field has the focus. */
async function tabTo(page: Page, field: ReturnType<Page['locator']>): Promise<void> {
  await expect(async () => {
    await page.keyboard.press('Tab')
    await expect(field).toBeFocused({ timeout: 50 })
  }).toPass({ intervals: [0] })
}

async function namesOfScreens(page: Page): Promise<string[]> {
  const names = await page.waitForFunction(() => document.documentElement.dataset.screens)
  return String(await names.jsonValue()).split(' ')
}
