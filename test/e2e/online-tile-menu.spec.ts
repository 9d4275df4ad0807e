import type { Page } from '@playwright/test'
import { button, expectState, press, test, tile } from './support/online-room.ts'
import { expect } from './support/test.ts'

test('an open menu stays as it was opened, so that a late press mutes twice and unmutes nobody', async ({
  room,
  openOnline,
}) => {
  const [amina] = await room.joinAll()
  if (!amina) throw new Error('Nobody is in the room')
  const page = await openOnline()
  const sent = actsOf(page)
  await press(page, 'Actions for Amina Yusuf')
  const items = page.getByRole('menuitem')
  const seen = ['Mute', 'Mute all but this one', 'Copy credentials', 'Details', 'Sign out', 'Deactivate']
  await expect(items).toHaveText(seen)
  await room.act(amina, 'mute')
  await expectState(page, amina, 'muted', { is_muted: true })
  await expect(items).toHaveText(seen)
  await items.first().click()
  await expect.poll(() => sent).toEqual([`${amina.id}/mute`])
  await expectState(page, amina, 'muted', { is_muted: true })
})

test('a double click is one act: in a menu it does nothing to the tile below, and on a tile it opens the menu', async ({
  room,
  openOnline,
}) => {
  const [amina] = await room.joinAll()
  if (!amina) throw new Error('Nobody is in the room')
  await room.muteAll()
  await room.act(amina, 'unmute')
  const page = await openOnline()
  const sent = actsOf(page)
  await expectState(page, amina, 'listening')
  const menu = page.getByRole('menu', { name: 'Actions for Amina Yusuf' })
  await expect(async () => {
    await tile(page, amina).dblclick() // the first click is ignored right after the tile appears
    await expect(menu).toBeVisible({ timeout: 1000 })
  }).toPass()

  await menu.getByRole('menuitem', { name: 'Copy credentials' }).dblclick()
  await expect(page.getByRole('menuitem')).toHaveCount(0)
  await press(page, 'Actions for Amina Yusuf')
  await menu.getByRole('menuitem', { name: 'Mute', exact: true }).dblclick()
  await expect(page.getByRole('menuitem')).toHaveCount(0)
  await expectState(page, amina, 'muted', { is_muted: true })
  expect(sent).toEqual([`${amina.id}/mute`])
})

test('a key that is held down is one press: it opens the menu, and presses nothing there', async ({
  room,
  openOnline,
}) => {
  const [amina] = await room.joinAll()
  if (!amina) throw new Error('Nobody is in the room')
  await room.muteAll()
  const page = await openOnline()
  const sent = actsOf(page)
  await expectState(page, amina, 'muted')
  await button(page, 'Actions for Amina Yusuf').focus()
  await page.keyboard.down('Enter')
  const first = page.getByRole('menuitem', { name: 'Unmute', exact: true })
  await expect(first).toBeFocused()
  for (let repeats = 0; repeats < 3; repeats++) await page.keyboard.down('Enter')
  await page.keyboard.up('Enter')
  await expect(first).toBeFocused()
  await page.keyboard.press('Enter')
  await expectState(page, amina, 'listening')
  expect(sent).toEqual([`${amina.id}/unmute`])
})

/** Collects this console's actions on users, as their ID and the action. */
function actsOf(page: Page): string[] {
  const sent: string[] = []
  page.on('request', (request) => {
    const act = /\/api\/host\/users\/(.+\/(?:un)?mute)$/.exec(request.url())?.[1]
    if (request.method() === 'POST' && act) sent.push(act)
  })
  return sent
}
