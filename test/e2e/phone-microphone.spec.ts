import type { Page } from '@playwright/test'
import { chromiumOptions } from './support/chromium.ts'
import { GALLERY, type Gallery } from './support/phone-gallery/build-gallery.ts'
import { expect, test } from './support/test.ts'

// Chromium's fake microphone beeps once a second. Without the second argument there is no permission to grant.
const MICROPHONE = ['--use-fake-device-for-media-stream', '--use-fake-ui-for-media-stream']
test.use({ launchOptions: { ...chromiumOptions, args: [...chromiumOptions.args, ...MICROPHONE] } })

async function openTest(page: Page, gallery: Gallery): Promise<void> {
  await page.addInitScript(() => {
    const { mediaDevices } = navigator
    const open = mediaDevices.getUserMedia.bind(mediaDevices)
    mediaDevices.getUserMedia = async (wanted) => {
      const stream = await open(wanted)
      Object.assign(window, { opened: stream })
      return stream
    }
  })
  await gallery.show(page)
  await page.goto(`${GALLERY}/?screen=lobby`)
  await page.getByRole('button', { name: 'Test my microphone' }).click()
}

const tracks = (page: Page) => page.evaluate(`(window.opened?.getTracks() ?? []).map(({ readyState }) => readyState)`)

test('the microphone test records, plays back, and closes the microphone', async ({ page, gallery }) => {
  await openTest(page, gallery)
  await page.getByRole('button', { name: 'Record three seconds' }).click()
  await expect(page.getByText('Recording. Please speak now.')).toBeVisible()
  await expect(page.getByText('Playing back. Do you hear yourself?')).toBeVisible()
  await expect.poll(() => tracks(page)).toEqual(['ended'])
  await expect(page.getByText('Your microphone works.')).toBeVisible()
})

test('leaving the test closes the microphone', async ({ page, gallery }) => {
  await openTest(page, gallery)
  await page.getByRole('button', { name: 'Record three seconds' }).click()
  await expect.poll(() => tracks(page)).toEqual(['live'])
  await page.getByRole('button', { name: 'Back' }).click()
  await expect.poll(() => tracks(page)).toEqual(['ended'])
})

test('a refused microphone is explained, for iPhone and Android', async ({ page, gallery }) => {
  await openTest(page, gallery)
  await page.evaluate(() => {
    navigator.mediaDevices.getUserMedia = () => Promise.reject(new DOMException('Refused', 'NotAllowedError'))
  })
  await page.getByRole('button', { name: 'Record three seconds' }).click()
  await expect(page.getByText('The microphone is not allowed')).toBeVisible()
  await expect(page.getByText(/^iPhone: /)).toBeVisible()
  await expect(page.getByText(/^Android: /)).toBeVisible()
})

test('the tone shows that it plays, and stops', async ({ page, gallery }) => {
  await gallery.show(page)
  await page.goto(`${GALLERY}/?screen=cannot-hear`)
  await page.getByRole('button', { name: 'Play a tone' }).click()
  await expect(page.getByText('The tone is playing now.')).toBeVisible()
  await page.getByRole('button', { name: 'Stop the tone' }).click()
  await expect(page.getByRole('button', { name: 'Play a tone' })).toBeVisible()
})
