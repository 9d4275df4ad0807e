import { aPng } from '../logo.ts'
import { FAILED_CALL } from './support/console-errors.ts'
import { downloadCsv } from './support/downloads.ts'
import { refuseCalls } from './support/refuse-calls.ts'
import { expect, test } from './support/test.ts'
import { expectToast } from './support/toasts.ts'

test.use({ serverEnv: { FEATURES: 'downloads,logo-upload' } })

test('Downloads gives users, attendance, visits and audit as files', async ({
  hostPage: page,
  server,
  addPeople,
  consoleErrors,
}) => {
  consoleErrors.allow(FAILED_CALL)
  await addPeople(['amina', 'bela'], (_, index) => ({ reference: `=ref ${index}` }))
  await page.goto(`${server.host_url}/host/downloads`)
  const button = (list: string) => page.getByRole('button', { name: `Download ${list} CSV` })
  const linesOf = async (list: string) => (await downloadCsv(page, () => button(list).click())).lines
  const firstThree = (line: string) => line.split(',').slice(0, 3).join()

  const people = ['user_id,username,reference', "U000001,amina,'=ref 0", "U000002,bela,'=ref 1"]
  expect((await linesOf('Users')).map(firstThree)).toEqual(people)
  expect((await linesOf('Attendance')).map(firstThree)).toEqual(people)
  expect((await linesOf('Visits')).map(firstThree)).toEqual(['user_id,username,joined_at'])
  expect((await linesOf('Audit')).filter((line) => line.includes(',user_created,'))).toHaveLength(2)

  await page.getByLabel('First day').fill('2020-01-01')
  await expect(page.getByText('At most 366 days at a time')).toBeVisible()
  await expect(button('Audit')).toBeDisabled()
  await page.getByLabel('Last day').fill('2020-01-02')
  expect(await linesOf('Audit')).toHaveLength(1)

  await refuseCalls(page, 'GET', '**/api/host/users')
  await button('Users').click()
  await expectToast(page, 'The file could not be fetched. Please try again.')
})

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

  /** A picture as this browser writes it. */
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
    ['png', 'image/png', 32, aPng({ width: 32 })],
  ] as const) {
    await choose(`logo.${extension}`, type, picture)
    await upload.click()
    await expect(logo).toHaveAttribute('src', new RegExp(`^/logos/\\w+\\.${extension}$`))
    await expect(logo).toHaveJSProperty('naturalWidth', width)
    await expectToast(page, 'Logo uploaded')
  }
})
