import { buildPng } from '../factories/logo.ts'
import { FAILED_CALL } from './support/console-errors.ts'
import { expect, test } from './support/test.ts'
import { expectToastOn } from './support/toasts.ts'

test.use({ serverEnv: { FEATURES: 'logo-upload' } })

test('uploads and shows a logo, and refuses other files', async ({ hostPage: page, server, consoleErrors }) => {
  consoleErrors.allow(FAILED_CALL)
  await page.goto(`${server.host_url}/host/app-info`)
  const field = page.locator('input[type=file]')
  const upload = page.getByRole('button', { name: 'Upload' })
  const choose = (name: string, mimeType: string, buffer: Buffer) => field.setInputFiles({ name, mimeType, buffer })

  await upload.click()
  await expect(page.getByText('Please select a logo file')).toBeVisible()
  await choose('logo.png', 'image/png', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'))
  await upload.click()
  await expect(page.getByText('The logo must be a PNG, JPEG or WebP picture')).toBeVisible()
  await choose('logo.png', 'image/png', Buffer.alloc(1_000_001))
  await upload.click()
  await expect(page.getByText('The logo may have at most 1 MB')).toBeVisible()

  /** Encodes a picture in this browser. */
  const draw = async (type: string) => {
    const base64 = await page.evaluate((kind) => {
      const canvas = document.createElement('canvas')
      canvas.width = 64
      return canvas.toDataURL(kind).split(',')[1] ?? ''
    }, type)
    return Buffer.from(base64, 'base64')
  }
  const logo = page.getByRole('img', { name: 'Your logo' })
  for (const [extension, type, width, picture] of [
    ['jpg', 'image/jpeg', 64, await draw('image/jpeg')],
    ['webp', 'image/webp', 64, await draw('image/webp')],
    ['png', 'image/png', 32, buildPng({ width: 32 })],
  ] as const) {
    await choose(`logo.${extension}`, type, picture)
    await upload.click()
    await expect(logo).toHaveAttribute('src', new RegExp(`^/logos/\\w+\\.${extension}$`))
    await expect(logo).toHaveJSProperty('naturalWidth', width)
    await expectToastOn(page, 'Logo uploaded')
  }
})
