import { FAILED_CALL } from './support/console-errors.ts'
import { cutOffOnce } from './support/cut-off.ts'
import { hostNamed, signInHost, uniqueName } from './support/hosts.ts'
import { expectShownBriefly } from './support/shown-briefly.ts'
import { expect, test } from './support/test.ts'
import { consentResult } from './support/zoom.ts'
import { addFormOf, answerZoom, openAddForm, openZoomWindow } from './support/zoom-window.ts'

test('a host is added with its Zoom account, and its credentials can be copied', async ({
  masterPage: page,
  server,
  host,
  consoleErrors,
}) => {
  consoleErrors.allow(FAILED_CALL)
  const username = uniqueName('ravi')
  const email = `${username}@tradingroom.example`
  await page.clock.install()
  const form = await openAddForm(page, server)
  const add = form.getByRole('button', { name: 'Add Host' })
  const options = (label: string) => form.getByLabel(label).locator('option')
  await expect(add).toBeDisabled()
  await expect(form.getByText('Minimum 6 characters')).toBeVisible()
  await expect(form.getByLabel('Storage limit')).toHaveValue('5')
  await expect(options('Storage limit')).toHaveText([1, 5, 10, 25, 50, 100].map((gb) => `${gb} GB`))
  await expect(options('Subscription')).toHaveText(['1 month', '3 months', '12 months'])
  await expect(form.getByLabel('Recording enabled')).toBeChecked()

  await form.getByRole('button', { name: 'Connect Zoom' }).click()
  await expect(form.getByText("Please enter the host's Zoom email address first")).toBeVisible()
  await form.getByLabel('Email').fill(email)
  const popup = await openZoomWindow(page)
  await expect(popup.getByRole('button', { name: 'Allow' })).toBeVisible()
  await expect(form.getByText('Continue in the Zoom window, and press Allow there.')).toBeVisible()
  await answerZoom(popup, email, 'Allow')
  await expect(form.getByText('Zoom connected! You can now create the host account.')).toBeVisible()
  await expect(add).toBeDisabled()

  await form.getByLabel('Username').fill(host.username)
  await form.getByRole('button', { name: 'Generate' }).click()
  const field = form.getByLabel(/^Password/)
  await expect(field).toHaveValue(/^\w{16}$/)
  const password = await field.evaluate((input: HTMLInputElement) => input.value)
  await add.click()
  await expect(form.getByText('Host Integration Error: This username is already taken')).toBeVisible()
  await cutOffOnce(page, '/admin/hosts/integrate')
  await form.getByLabel('Username').fill(username)
  await add.click()
  await expect(form.getByText('Host Integration Error: Failed to integrate host account')).toBeVisible()
  const done = form.getByRole('status').filter({ hasText: 'Host account integrated successfully!' })
  await expectShownBriefly(page, done.getByRole('button', { name: 'Copy credentials' }), () => add.click())
  await expect(form).toHaveCount(0) // by itself

  await expect(page.getByText(`The password of the new host ${username} is not shown again.`)).toBeVisible()
  const permissions = ['clipboard-read', 'clipboard-write']
  await page.context().grantPermissions(permissions, { origin: server.master_url })
  await expectShownBriefly(page, page.getByText('Credentials copied to clipboard'), () =>
    page.getByRole('button', { name: 'Copy credentials' }).click(),
  )
  const { user_id, room_name, zoom_status } = await hostNamed(server, username)
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(
    `Login: ${server.host_url}/login\nUsername: ${username}\nPassword: ${password}\nHost ID: ${user_id}`,
  )
  expect(zoom_status).toBe('connected')
  expect(room_name).toMatch(/^ROOM-\d+$/)
  await signInHost(server, { username, password })
})

test('refuses a weak password and invisible characters in the host form', async ({ masterPage: page, server }) => {
  const form = await openAddForm(page, server)
  const add = form.getByRole('button', { name: 'Add Host' })
  const username = form.getByLabel('Username')
  const password = form.getByLabel(/^Password/)
  const room = form.getByLabel('Room name')
  await form.getByLabel('Email').fill('ravi@example.com')
  await username.fill('ra\u202evi')
  await room.fill('Hall\u00ad 1')
  await password.fill('short')
  await add.click()
  await expect(username).toHaveAccessibleDescription(/cannot be seen \(right-to-left override, U\+202E\)/)
  await expect(room).toHaveAccessibleDescription(/cannot be seen \(soft hyphen, U\+00AD\)/)
  await expect(password).toHaveAccessibleDescription(/Password must be at least 6 characters/)
  await username.fill('ravi-of-hall')
  await room.fill('Hall 1')
  await password.fill('RAVI-OF-HALL')
  await add.click()
  await expect(password).toHaveAccessibleDescription(/The password must not be the username/)
})

test('a result in the address opens the form on both pages, and is confirmed with the server', async ({
  masterPage: page,
  server,
}) => {
  const email = `${uniqueName('tom')}@openclass.example`
  const return_url = `${server.master_url}/master/hosts`
  for (const [place, status, words] of [
    ['/master/hosts', 'success', 'Zoom integration successful! You can now create the host account.'],
    ['/master/hosts/add', 'integrated', 'Zoom account already integrated! You can create the host account.'],
    ['/host/host-master', null, 'Zoom connected! You can now create the host account.'],
  ] as const) {
    const oauth_result_id = await consentResult(server, email, { return_url })
    const query = new URLSearchParams({ oauth_result_id, user_email: email, modal: 'add-host' })
    if (status) query.set('oauth_status', status)
    await page.goto(`${server.master_url}${place}?${query}`)
    await expect(addFormOf(page).getByText(words)).toBeVisible()
    await expect(addFormOf(page).getByLabel('Email')).toHaveValue(email)
    await expect(page).toHaveURL(`${server.master_url}${place}`)
  }
})

test('an unconfirmed result in the address opens the form with an error, and is removed', async ({
  masterPage: page,
  server,
  consoleErrors,
}) => {
  consoleErrors.allow(FAILED_CALL) // no such result
  for (const [place, query, words] of [
    ['/master/hosts/add', 'modal=add-host&oauth_email=a@b.co&oauth_status=integrated', 'Zoom was not confirmed.'],
    ['/master/hosts', 'modal=add-host&oauth_result_id=unknown&user_email=a@b.co', 'OAuth integration failed.'],
    ['/host/host-master', 'oauth_status=success&user_email=a@b.co&access_token=T', 'Zoom was not confirmed.'],
    ['/host/host-master', 'oauth_result=unknown&user_email=a@b.co', 'OAuth integration failed.'],
  ] as const) {
    await page.goto(`${server.master_url}${place}?${query}`)
    await expect(addFormOf(page).getByText(words)).toBeVisible()
    await expect(page).toHaveURL(`${server.master_url}${place}`)
  }
})

test('modal=add-host alone opens the form without a message, with the focus on the e-mail', async ({
  masterPage: page,
  server,
}) => {
  await page.goto(`${server.master_url}/master/hosts?modal=add-host`)
  await expect(addFormOf(page).getByText('Optional now. It can be connected later too.')).toBeVisible()
  await expect(page).toHaveURL(`${server.master_url}/master/hosts`)

  await page.goto(`${server.master_url}/host/host-master?modal=add-host&oauth_status=x`)
  await addFormOf(page).getByRole('button', { name: 'Connect Zoom' }).click()
  const words = 'Please enter the host email first to integrate with Zoom'
  await expect(addFormOf(page).getByText(words)).toBeVisible()
  await expect(page).toHaveURL(`${server.master_url}/host/host-master`)
})

test('an outcome in the address that needs no form is shown on the page, and can be dismissed', async ({
  masterPage: page,
  server,
}) => {
  for (const [path, words] of [
    ['/master/hosts?oauth_status=error&error=oauth_failed&message=No+luck', 'OAuth failed: No luck'],
    ['/master/dashboard?oauth_email=a@b.co&oauth_status=integrated', 'Zoom integration completed for a@b.co.'],
  ] as const) {
    await page.goto(`${server.master_url}${path}`)
    await expect(page.getByText(words)).toBeVisible()
    await expect(page).toHaveURL(`${server.master_url}/master/hosts`)
    await page.getByRole('button', { name: 'Dismiss' }).click()
    await expect(page.getByText(words)).toHaveCount(0)
    await expect(page.getByRole('dialog')).toHaveCount(0)
  }
})
