import { test, tile } from './support/online-room.ts'
import { expect } from './support/test.ts'

test('the search opens the tile of an online user, the row of an offline user, and a page', async ({
  page,
  server,
  room,
  openOnline,
}) => {
  const zoe = await room.join('Zoë Lindqvist')
  const ben = await room.join('Ben Carter')
  await openOnline()
  const filter = page.getByLabel('Filter participants')
  const jump = async (words: string, option: string | RegExp) => {
    await page.keyboard.press('/')
    await page.getByRole('combobox').fill(words)
    await page.getByRole('option', { name: option }).click()
    await expect(page.getByRole('combobox')).toHaveCount(0)
  }

  await jump('zoë', 'Zoë Lindqvist')
  await expect(filter).toHaveValue('U000012')
  await expect(tile(page, zoe)).toBeVisible()
  await expect(tile(page, ben)).toHaveCount(0)
  await expect(page).toHaveURL(`${server.host_url}/host/online`)
  await filter.fill('no such name')
  await expect(page.getByText('No users found')).toBeVisible()
  await filter.blur()

  const found = page.getByRole('table').getByRole('row', { name: 'Hannah Weiss' })
  await jump('hannah', /not online/)
  await expect(page).toHaveURL(/\/host\/users\?filter=U\d{6}$/)
  await expect(found).toBeVisible()
  await expect(page.getByRole('row')).toHaveCount(2) // the other is the head
  await page.getByRole('button', { name: /^Inactive/ }).click()
  await expect(page.getByText('No users found')).toBeVisible()
  await jump('hannah', /not online/) // who is not among those
  await expect(found).toBeVisible()

  await jump('dash', 'Dashboard')
  await expect(page).toHaveURL(`${server.host_url}/host/dashboard`)
  await page.getByRole('button', { name: 'Menu' }).click()
  await expect(page.getByText('Admin Panel')).toHaveCount(0)
  await page.getByRole('link', { name: 'Users Master' }).first().click()
  await expect(page).toHaveURL(`${server.host_url}/host/users`)
})
