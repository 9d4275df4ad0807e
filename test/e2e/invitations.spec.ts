import { expectAccessible } from './support/accessibility.ts'
import { expect, test } from './support/test.ts'
import { openUsersMaster } from './support/users-master.ts'

const NAMES = ['amina', 'bela', 'chika', 'dora', 'Maximiliane von Hohenstein-Wittelsbach zu Oberschwaben']

test('invitations and a one-time link are accessible, and give the focus back', async ({
  hostPage: page,
  server,
  addPeople,
}) => {
  await addPeople(NAMES)
  const { button, choose, bulk, dialog } = await openUsersMaster(page, server)
  await choose('amina', 'Invite')
  await dialog.getByRole('button', { name: 'Make a one-time link' }).click()
  await expect(dialog.getByText(/^Works once/)).toBeInViewport()
  await expectAccessible(page, 'an invitation with a one-time link')
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  await expect(button('More actions for amina')).toBeFocused()

  await page.getByRole('checkbox', { name: 'Select all users' }).click()
  await bulk('Invite').click()
  await expect(dialog.getByRole('img', { name: /^QR code/ })).toHaveCount(NAMES.length)
  await expectAccessible(page, 'invitations')
})

test('invitations are printed alone, two to a sheet', async ({ hostPage: page, server, addPeople }) => {
  await addPeople(NAMES)
  const { bulk, dialog } = await openUsersMaster(page, server)
  await page.getByRole('checkbox', { name: 'Select all users' }).click()
  await bulk('Invite').click()
  await expect(dialog.getByRole('img', { name: /^QR code/ })).toHaveCount(NAMES.length)
  const sheets = (await page.pdf({ format: 'A4', margin: { top: '1cm', bottom: '1cm' } })).toString('latin1')
  expect(sheets.match(/\/Type\s*\/Page\b(?!s)/g)).toHaveLength(3)
})
