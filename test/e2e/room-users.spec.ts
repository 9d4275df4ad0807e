import { FAILED_CALL } from './support/console-errors.ts'
import { expect, test } from './support/test.ts'
import { expectToastOn } from './support/toasts.ts'
import { openUsersMaster } from './support/users-master.ts'

test('the forms and menus of a user close with Escape and return the focus', async ({
  hostPage: page,
  server,
  addPeople,
  openPhone,
}) => {
  for (const person of await addPeople(['bela'])) await openPhone(person)
  const { button, status, openMenu, choose, menuItems, dialog } = await openUsersMaster(page, server)
  await button('Edit bela').click()
  await expect(dialog.getByLabel('Username')).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  await expect(button('Edit bela')).toBeFocused()

  await openMenu('bela')
  await expect(menuItems.first()).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(menuItems).toHaveCount(0)

  await expect(status('bela', 'Online')).toBeVisible()
  await choose('bela', 'Switch phone')
  await expect(page.getByText(/A user may sign in from one phone only\./)).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  await expect(button('More actions for bela')).toBeFocused() // the button that opened the menu
})

test('a double click opens a form, and a later click beside it closes it', async ({
  hostPage: page,
  server,
  addPeople,
}) => {
  await addPeople(['bela']) // in an empty list the button is in the middle, behind the form
  const { button, dialog } = await openUsersMaster(page, server)
  await button('Add User').dblclick()
  await expect(dialog.getByLabel('Username')).toBeFocused()
  await expect(async () => {
    await page.mouse.click(5, 5)
    await expect(dialog).toHaveCount(0, { timeout: 250 })
  }).toPass({ timeout: 5000 })
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
  const details = page.waitForResponse('**/api/host/details') // the message contains the room's name
  const { button } = await openUsersMaster(page, server)
  await (await details).finished()
  await button('Copy credentials of amina').click()
  await expectToastOn(page, 'Credentials copied to clipboard')
  const copied = await page.evaluate(() => navigator.clipboard.readText())
  expect(copied.split('\n')).toEqual(
    expect.arrayContaining([
      `How to sign in to “${host.room_name}”`,
      `1. Open this link on your phone: ${server.phone_url}/?host=${host.user_id}`,
      `Host ID: ${host.user_id}`,
      'Username: amina',
      'Password: amina-password',
      'User ID: U000001',
    ]),
  )
  await page.route('**/credentials', (route) => route.fulfill({ status: 500, json: {} }))
  await button('Copy credentials of amina').click()
  await expectToastOn(page, 'Failed to copy credentials')
})
