import { expect, test } from './support/test.ts'

const STORE = 'https://play.google.com/store/apps/details?id=example.parley'

test.use({ serverEnv: { PLAY_STORE_URL: STORE } })

test('the landing page and the documentation lead to the app in the store', async ({ page, server }) => {
  await page.goto(server.public_url)
  await expect(page.getByRole('link', { name: 'Get it on Google Play', exact: true })).toHaveAttribute('href', STORE)
  await expect(page.getByText(/there is no (Android )?app/i)).toHaveCount(0)
  await page.goto(`${server.public_url}/documentation`)
  await expect(page.getByText('Or get the app from Google Play.')).toBeVisible()
  await expect(page.getByText(/there is no (Android )?app/i)).toHaveCount(0)
})

test('on a phone Join a Meeting leads to the page that needs no store', async ({ newContext, server }) => {
  const phone = await newContext({ viewport: { width: 360, height: 780 }, hasTouch: true, isMobile: true })
  const page = await phone.newPage()
  await page.goto(server.public_url)
  await expect(page.getByRole('link', { name: 'Get it on Google Play' })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Join a Meeting' })).toHaveAttribute('href', server.phone_url)
})
