import { test, tile } from './support/online-room.ts'
import { expect } from './support/test.ts'

test('the search opens the panel of a user beside the page, and a page', async ({ page, server, room, openOnline }) => {
  const zoe = await room.join('Zoë Lindqvist')
  await openOnline()
  const jump = async (words: string, option: string | RegExp) => {
    await page.keyboard.press('/')
    const search = page.getByRole('combobox', { name: 'Go to a page or a user' })
    await search.fill(words)
    await page.getByRole('option', { name: option }).click()
    await expect(search).toHaveCount(0)
  }

  await jump('zoë', 'Zoë Lindqvist')
  const panel = page.getByRole('dialog', { name: 'Zoë Lindqvist' })
  await expect(panel.getByText('U000012')).toBeVisible()
  await expect(panel.getByRole('button', { name: 'Close' })).toBeFocused()
  await expect(page).toHaveURL(new RegExp(`^${server.host_url}/host/online\\?user=`))
  await page.goBack()
  await expect(panel).toHaveCount(0)
  await expect(page).toHaveURL(`${server.host_url}/host/online`)
  await expect(tile(page, zoe)).toBeVisible()
  await jump('hannah', /not online/)
  await expect(page.getByRole('dialog', { name: 'Hannah Weiss' })).toBeVisible()
  await page.reload()
  await expect(page.getByRole('dialog', { name: 'Hannah Weiss' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(page).toHaveURL(`${server.host_url}/host/online`)

  await jump('dash', 'Dashboard')
  await expect(page).toHaveURL(`${server.host_url}/host/dashboard`)
  await page.getByRole('button', { name: 'Menu' }).click()
  await expect(page.getByText('Admin Panel')).toHaveCount(0)
  await page.getByRole('link', { name: 'Users Master' }).first().click()
  await expect(page).toHaveURL(`${server.host_url}/host/users`)
})
