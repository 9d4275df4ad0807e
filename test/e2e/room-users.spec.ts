import { http } from '../server-process.ts'
import { FAILED_CALL } from './support/console-errors.ts'
import { refuseCalls } from './support/refuse-calls.ts'
import { recordRequests } from './support/requests.ts'
import { expect, test } from './support/test.ts'
import { expectToast } from './support/toasts.ts'
import { openUsersMaster } from './support/users-master.ts'

test('the first user of an empty room is added, and the same username is refused', async ({
  hostPage: page,
  server,
  consoleErrors,
}) => {
  consoleErrors.allow(FAILED_CALL)
  const { button, row } = await openUsersMaster(page, server)
  await expect(page.getByText('No users found')).toBeVisible()
  await button('Add User').first().click()
  const form = page.getByRole('dialog', { name: 'Add User' })
  const submit = form.getByRole('button', { name: 'Add User' })
  await expect(form.getByLabel('User ID')).toHaveValue('U000001')
  await submit.click()
  await expect(form.getByText('Username is required')).toBeVisible()
  await expect(form.getByText('Password is required')).toBeVisible()
  await form.getByLabel('Username').fill('amina')
  await form.getByRole('button', { name: 'Generate' }).click()
  await expect(form.getByLabel(/^Password/)).toHaveValue(/^\w{10}$/)
  await refuseCalls(page, 'POST', '**/api/host/users', { times: 1 })
  await submit.click()
  await expectToast(page, 'Failed to create user')
  await submit.click()
  await expectToast(page, 'User created successfully')
  await expect(form).toHaveCount(0)
  await expect(row('amina')).toBeVisible()

  await button('Add User').click()
  await form.getByLabel('Username').fill('AMINA')
  await form.getByLabel(/^Password/).fill('other-one')
  await submit.click()
  await expect(form.getByText('This username is already in use')).toBeVisible()
  await form.getByRole('button', { name: 'Cancel' }).click()
  await expect(form).toHaveCount(0)
})

test('a weak password, and a name with what nobody can see, are refused in both forms of a user', async ({
  hostPage: page,
  server,
  addPeople,
}) => {
  await addPeople(['amina'])
  const { button, row } = await openUsersMaster(page, server)
  const requests = recordRequests(page)
  for (const { open, title, save } of [
    { open: 'Add User', title: 'Add User', save: 'Add User' },
    { open: 'Edit amina', title: 'Edit User', save: 'Save changes' },
  ]) {
    await button(open).click()
    const form = page.getByRole('dialog', { name: title })
    const submit = form.getByRole('button', { name: save })
    const username = form.getByLabel('Username')
    const password = form.getByLabel(/^(New )?Password/)
    await username.fill('bela\u200b')
    await password.fill('abc')
    await submit.click()
    await expect(username).toHaveAccessibleDescription(/cannot be seen \(zero width space, U\+200B\)/)
    await expect(password).toHaveAccessibleDescription(/Password must be at least 4 characters/)
    await username.fill('bela')
    await password.fill('Bela')
    await submit.click()
    await expect(password).toHaveAccessibleDescription(/The password must not be the username/)
    await form.getByRole('button', { name: 'Cancel' }).click()
    await expect(form).toHaveCount(0)
  }
  expect(requests.filter((request) => request.method() !== 'GET')).toEqual([])
  await expect(row('amina')).toBeVisible()
})

test('a user is edited, and an edit that fails is not sent again later', async ({
  hostPage: page,
  server,
  addPeople,
  consoleErrors,
}) => {
  consoleErrors.allow(FAILED_CALL)
  await addPeople(['amina'])
  const { button, row } = await openUsersMaster(page, server)
  const form = page.getByRole('dialog', { name: 'Edit User' })
  const save = form.getByRole('button', { name: 'Save changes' })

  await button('Edit amina').click()
  await expect(form.getByLabel('Username')).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(form).toHaveCount(0)
  await expect(button('Edit amina')).toBeFocused()

  await button('Edit amina').click()
  await form.getByLabel('Reference').fill('Alto')
  await refuseCalls(page, 'PUT', '**/api/host/users/*', { times: 1 })
  await save.click()
  await expectToast(page, 'Failed to update user')
  await page.context().setOffline(true)
  await save.click()
  await expectToast(page, 'Failed to update user')
  const polled = page.waitForResponse('**/api/host/users')
  await page.context().setOffline(false)
  await polled
  await expect(row('amina')).not.toContainText('Alto')
  await save.click()
  await expectToast(page, 'User updated successfully')
  await expect(row('amina')).toContainText('Alto')
})

test('a user is stopped and activated from the menu, which has only what applies', async ({
  hostPage: page,
  server,
  addPeople,
  consoleErrors,
}) => {
  consoleErrors.allow(FAILED_CALL)
  await addPeople(['amina'])
  const { button, status, openMenu, choose, menuItems } = await openUsersMaster(page, server)

  await openMenu('amina')
  await expect(menuItems).toHaveText(['Deactivate', 'Mute', 'Delete'])
  await expect(menuItems.first()).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(menuItems).toHaveCount(0)

  await refuseCalls(page, 'POST', '**/deactivate', { times: 1 })
  await choose('amina', 'Deactivate')
  await expectToast(page, 'Failed to deactivate user')
  await choose('amina', 'Deactivate')
  await expect(status('amina', 'S · Stopped')).toBeVisible()
  await expect(button('Inactive 1')).toBeVisible()
  await choose('amina', 'Activate')
  await expect(status('amina', 'Active')).toBeVisible()
})

test('a user is switched to another phone after a question', async ({
  hostPage: page,
  server,
  addPeople,
  openPhone,
  consoleErrors,
}) => {
  consoleErrors.allow(FAILED_CALL)
  for (const person of await addPeople(['bela'])) await openPhone(person)
  const { button, status, choose, dialog } = await openUsersMaster(page, server)
  const agree = dialog.getByRole('button', { name: 'Switch phone' })

  await expect(status('bela', 'Online')).toBeVisible()
  await choose('bela', 'Switch phone')
  await expect(page.getByText(/A user may log in from one phone only\./)).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  await expect(button('More actions for bela')).toBeFocused() // it opened the menu that asked
  await refuseCalls(page, 'POST', '**/switch', { times: 1 })
  await choose('bela', 'Switch phone')
  await agree.click()
  await expectToast(page, 'Failed to clear device binding')
  await expect(dialog).toHaveCount(0)
  await choose('bela', 'Switch phone')
  await agree.click()
  await expectToast(page, 'Device binding cleared. User can now login from a new phone.')
  await expect(status('bela', 'C · Phone changed')).toBeVisible()
})

test('credentials are copied as a message to the person', async ({
  hostPage: page,
  host,
  server,
  addPeople,
  consoleErrors,
}) => {
  consoleErrors.allow(FAILED_CALL)
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'], { origin: server.host_url })
  await addPeople(['amina'])
  const { button, row } = await openUsersMaster(page, server)

  await expect(row('amina')).toContainText(host.room_name) // the message names the room
  await button('Copy credentials of amina').click()
  await expectToast(page, 'Credentials copied to clipboard')
  const copied = await page.evaluate(() => navigator.clipboard.readText())
  expect(copied.split('\n')).toEqual(
    expect.arrayContaining([
      `Your login for “${host.room_name}”`,
      `Host ID: ${host.user_id}`,
      'Username: amina',
      'Password: amina-password',
      'User ID: U000001',
    ]),
  )
  await refuseCalls(page, 'POST', '**/credentials')
  await button('Copy credentials of amina').click()
  await expectToast(page, 'Failed to copy credentials')
})

test('many users are acted on at once: those to whom it applies, with a report', async ({
  hostPage: page,
  host,
  server,
  addPeople,
  consoleErrors,
}) => {
  consoleErrors.allow(FAILED_CALL)
  const [, , dora] = await addPeople(['amina', 'chika', 'dora'])
  const { button, bulk, dialog } = await openUsersMaster(page, server)

  await bulk('Deactivate').click()
  await expectToast(page, 'Please select users first')

  for (const name of ['amina', 'chika', 'dora']) await page.getByRole('checkbox', { name: `Select ${name}` }).check()
  await expect(page.getByText('3 selected')).toBeVisible()
  await expect(bulk('Log out')).toBeDisabled() // none of them is online
  await refuseCalls(page, 'POST', '**/bulk/mute', { times: 1 })
  await bulk('Mute').click()
  await expectToast(page, 'Failed to mute users')
  await bulk('Mute').click()
  await expectToast(page, '3 users muted')
  await bulk('Unmute').click()
  await expectToast(page, '3 users unmuted')

  await page.route('**/bulk/deactivate', async (route) => {
    await http(server, 'POST', `/host/users/${dora?.id}/delete`, host) // elsewhere, with the call on its way
    await route.continue()
  })
  await bulk('Deactivate').click()
  await expectToast(page, '2 users deactivated, 1 failed: User not found')
  await expect(button('Inactive 2')).toBeVisible()
  await expect(page.getByText('2 selected')).toBeVisible()

  await bulk('Delete').click()
  await expect(page.getByText('They are deleted for good, and signed out of their phones at once.')).toBeVisible()
  await button('Cancel').click()
  await expect(dialog).toHaveCount(0)
  await bulk('Delete').click()
  await button('Delete users').click()
  await expectToast(page, '2 users deleted')
  await expect(page.getByText('No users found')).toBeVisible()
})
