import { http } from '../server-process.ts'
import { FAILED_CALL } from './support/console-errors.ts'
import { refuseCalls } from './support/refuse-calls.ts'
import { expect, test } from './support/test.ts'
import { expectToast } from './support/toasts.ts'

test('App Info counts characters, shows a preview of a phone, and saves', async ({
  hostPage: page,
  host,
  server,
  consoleErrors,
}) => {
  consoleErrors.allow(FAILED_CALL)
  await page.goto(`${server.host_url}/host/app-info`)
  const phone = page.getByTestId('phone-preview')
  const message = page.getByRole('textbox', { name: 'Message' })
  const save = page.getByRole('button', { name: 'Save changes' })

  await page.getByLabel('User title').fill('Singer')
  await expect(page.getByText('The heading of the phone app. 6 of 60 characters')).toBeVisible()
  await page.getByLabel('Helpline').fill('+91 98765 43210')
  await message.fill('x'.repeat(500))
  await expect(page.getByText('500 of 500 characters')).toBeVisible()
  await message.fill('Rehearsal at six.')
  for (const words of ['Singer', 'Helpline +91 98765 43210', 'Rehearsal at six.'])
    await expect(phone.getByText(words, { exact: true })).toBeVisible()

  await page.getByLabel('Logo address').fill('javascript:alert(1)')
  await save.click()
  await expect(page.getByText('The logo must be at a public https address or one of this site')).toBeVisible()
  await page.getByLabel('Logo address').fill('')
  await refuseCalls(page, 'PUT', '**/host/app-info', { times: 1, message: 'The disk is full' })
  await save.click()
  await expectToast(page, 'Failed to update app information: The disk is full')
  await save.click()
  await expectToast(page, 'App information updated successfully')
  const { appInfo } = (await http(server, 'GET', '/host/app-info', host)).body
  expect(appInfo).toMatchObject({
    user_title: 'Singer',
    helpline: '+91 98765 43210',
    message: 'Rehearsal at six.',
    logo_url: null,
  })
})

test("refuses a weak password for the host's own phone", async ({ hostPage: page, host, server, consoleErrors }) => {
  consoleErrors.allow(FAILED_CALL)
  await page.goto(`${server.host_url}/host/app-info`)
  const password = page.getByLabel(/^Password/)
  const save = page.getByRole('button', { name: 'Save changes' })
  await password.fill('short')
  await save.click()
  await expect(password).toHaveAccessibleDescription(/Password must be at least 6 characters/)
  await password.fill(host.user_id.toLowerCase())
  await save.click()
  await expect(password).toHaveAccessibleDescription(/The password must not be the username/)
  await password.fill('long enough')
  await save.click()
  await expectToast(page, 'App information updated successfully')
})

test('Downloads and the logo upload show Coming Soon where they are turned off', async ({ hostPage: page, server }) => {
  await page.goto(`${server.host_url}/host/downloads`)
  await expect(page.getByText('Downloads are coming soon')).toBeVisible()
  await page.getByRole('link', { name: 'App Info' }).click()
  await expect(page.getByText('Coming Soon')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Upload' })).toBeDisabled()
})
