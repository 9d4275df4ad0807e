import { expect, test } from './support/test.ts'

test('Back closes a dialog on the first page of a tab, and closing the tab asks while a form is filled in', async ({
  hostPage: page,
  server,
}) => {
  const form = page.getByRole('dialog', { name: 'Add User' })
  const question = page.getByRole('dialog', { name: 'Discard your changes?' })
  const address = `${server.host_url}/host/users`
  await page.goto(address)
  await page.getByRole('button', { name: 'Add User' }).first().click()
  await expect(form).toBeVisible()
  await page.goBack()
  await expect(form).toHaveCount(0)
  await expect(page).toHaveURL(address)

  await page.getByRole('button', { name: 'Add User' }).first().click()
  await form.getByLabel('Username').fill('half a name')
  await page.goBack()
  await question.getByRole('button', { name: 'Keep editing' }).click()
  await expect(form.getByLabel('Username')).toHaveValue('half a name')
  await expect(form.getByLabel('Username')).toBeFocused()
  await expect(page).toHaveURL(address)

  const asked = page.waitForEvent('dialog')
  await page.close({ runBeforeUnload: true })
  const dialog = await asked
  expect(dialog.type()).toBe('beforeunload')
  await dialog.accept()
})
