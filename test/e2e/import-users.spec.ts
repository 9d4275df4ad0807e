import { http } from '../server-process.ts'
import { FAILED_CALL } from './support/console-errors.ts'
import { downloadCsv } from './support/downloads.ts'
import { refuseCalls } from './support/refuse-calls.ts'
import { expect, test } from './support/test.ts'
import { expectToast } from './support/toasts.ts'
import { openUsersMaster } from './support/users-master.ts'

test('checks a list before adding anyone, and reports the outcome', async ({
  hostPage: page,
  host,
  server,
  addPeople,
}) => {
  await addPeople(['amina'])
  const { button, row, rows } = await openUsersMaster(page, server)
  await expect(row('amina')).toBeVisible()
  await button('Import').click()
  const dialog = page.getByRole('dialog', { name: 'Import users' })
  const check = dialog.getByRole('button', { name: 'Check the list' })
  await dialog.getByLabel('People').fill('username,password\n')
  await check.click()
  await expect(dialog.getByText(/This list is empty/)).toBeVisible()

  const list = 'Name;Reference\nbela;=1+1\nAmina;Row 3\nchika;\n;Nobody\ndora;Row 4\n'
  const file = { name: 'list.csv', mimeType: 'text/csv', buffer: Buffer.from(list) }
  await dialog.locator('input[type=file]').setInputFiles(file)
  await expect(dialog.getByLabel('People')).toHaveValue(list)
  await check.click()
  await expect(dialog.getByText('2 rows')).toBeVisible()
  await expect(dialog.getByRole('row')).toHaveText([
    /Username/,
    /The username is in use in your room/,
    /Username is required/,
    /^2belaWill be addedU000002made up=1\+1/,
    /^4chika/,
    /^6dora/,
  ])

  // Somebody else takes a name between the check and the adding.
  const taken = { username: 'Chika', user_id: 'X-1', password: 'lamp' }
  await http(server, 'POST', '/host/users', { token: host.token, body: taken })
  await dialog.getByRole('button', { name: 'Add 3 users' }).click()
  await expect(dialog.getByText('2 users were added.')).toBeVisible()
  await expect(dialog.getByText('Line 4, chika: This username is already in use')).toBeVisible()
  await dialog.getByRole('button', { name: 'Done' }).click()
  for (const name of ['amina', 'bela', 'Chika', 'dora']) await expect(row(name)).toBeVisible()
  await expect(rows).toHaveCount(5) // with the header
})

test('saves the added logins in a file, which a phone can use', async ({
  hostPage: page,
  host,
  server,
  openPhone,
  consoleErrors,
}) => {
  consoleErrors.allow(FAILED_CALL)
  const { button, status } = await openUsersMaster(page, server)
  await button('Import').first().click()
  const dialog = page.getByRole('dialog', { name: 'Import users' })
  await dialog.getByLabel('People').fill('Name;Reference\nbela;=1+1')
  await dialog.getByRole('button', { name: 'Check the list' }).click()
  await dialog.getByRole('button', { name: 'Add 1 user' }).click()

  const logins = dialog.getByRole('button', { name: 'Download logins' })
  const refusal = await refuseCalls(page, 'GET', '**/api/host/profile')
  await logins.click()
  await expectToast(page, 'The logins could not be downloaded. Please try again.')
  refusal.stop()
  const { lines } = await downloadCsv(page, () => logins.click())
  expect(lines).toEqual(['host_id,username,user_id,password,reference', expect.stringContaining("'=1+1")])
  const [hostId, username = '', userId, password = ''] = lines[1]?.split(',') ?? []
  expect([hostId, username, userId]).toEqual([host.user_id, 'bela', 'U000001'])
  expect(password).toMatch(/^\w{10}$/)
  await openPhone({ username, password })
  await dialog.getByRole('button', { name: 'Done' }).click()
  await expect(status('bela', 'Online')).toBeVisible()
})

test('reports a list that the server refuses as not added', async ({ hostPage: page, server, consoleErrors }) => {
  consoleErrors.allow(FAILED_CALL)
  const refusal = await refuseCalls(page, 'POST', '**/api/host/users/import')
  const { button } = await openUsersMaster(page, server)
  await button('Import').first().click()
  const dialog = page.getByRole('dialog', { name: 'Import users' })
  await dialog.getByLabel('People').fill('emeka')
  await dialog.getByRole('button', { name: 'Check the list' }).click()
  await dialog.getByRole('button', { name: 'Add 1 user' }).click()
  await expect(dialog.getByText('Line 1, emeka: Not added: the server did not answer. Please try again.')).toBeVisible()
  expect(refusal.calls()).toBe(2) // it was tried once more
  await dialog.getByRole('button', { name: 'Done' }).click()
  await expect(page.getByText('No users found')).toBeVisible()
})
