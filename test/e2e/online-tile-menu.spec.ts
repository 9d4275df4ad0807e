import type { Page } from '@playwright/test'
import { pressEnter } from './support/keys.ts'
import {
  test as base,
  button,
  expectState,
  holdEnter,
  type Participant,
  pressByKey,
  tile,
} from './support/online-room.ts'
import { expect } from './support/test.ts'

interface Fixtures {
  /** The first of the twelve, who are all in the room. */
  amina: Participant
  /** The acts on users that `page` has sent, such as `ID/mute`. */
  sent: string[]
}

const test = base.extend<Fixtures>({
  amina: async ({ room }, use) => {
    const [amina] = await room.joinAll()
    if (!amina) throw new Error('Nobody is in the room')
    await use(amina)
  },
  sent: async ({ page }, use) => {
    const sent: string[] = []
    page.on('request', (request) => {
      const act = /\/api\/host\/users\/(.+\/(?:un)?mute)$/.exec(request.url())?.[1]
      if (request.method() === 'POST' && act) sent.push(act)
    })
    await use(sent)
  },
})

test('an open menu stays as it was opened, so that a late press mutes twice and unmutes nobody', async ({
  amina,
  page,
  room,
  openOnline,
  sent,
}) => {
  await openOnline()
  await pressByKey(page, 'Actions for Amina Yusuf')
  const items = page.getByRole('menuitem')
  const seen = [
    ...['Mute', 'Mute all but this one', 'Pin through Mute All', 'Send a word…', 'Copy credentials', 'Details'],
    ...['Sign out', 'Deactivate'],
  ]
  await expect(items).toHaveText(seen)
  await room.act(amina, 'mute')
  await expectState(page, amina, 'muted', { is_muted: true })
  await expect(items).toHaveText(seen)
  await items.first().click()
  await expect.poll(() => sent).toEqual([`${amina.id}/mute`])
  await expectState(page, amina, 'muted', { is_muted: true })
})

test('a double click is one act: in a menu it does nothing to the tile below, and on a tile it opens the menu', async ({
  amina,
  page,
  room,
  openOnline,
  sent,
}) => {
  await room.muteAll()
  await room.act(amina, 'unmute')
  await openOnline()
  await expectState(page, amina, 'listening')
  const menu = page.getByRole('menu', { name: 'Actions for Amina Yusuf' })
  await expect(async () => {
    await tile(page, amina).dblclick() // the first click is ignored right after the tile appears
    await expect(menu).toBeVisible({ timeout: 1000 })
  }).toPass()

  await menu.getByRole('menuitem', { name: 'Copy credentials' }).dblclick()
  await expect(page.getByRole('menuitem')).toHaveCount(0)
  await pressByKey(page, 'Actions for Amina Yusuf')
  await menu.getByRole('menuitem', { name: 'Mute', exact: true }).dblclick()
  await expect(page.getByRole('menuitem')).toHaveCount(0)
  await expectState(page, amina, 'muted', { is_muted: true })
  expect(sent).toEqual([`${amina.id}/mute`])
})

for (const key of ['Enter', 'Space']) {
  test(`a double press of ${key} on Mute in a menu mutes, and does not unmute by the tile below`, async ({
    amina,
    page,
    openOnline,
    sent,
  }) => {
    await openOnline()
    await pressByKey(page, 'Actions for Amina Yusuf')
    const mute = page.getByRole('menuitem', { name: 'Mute', exact: true })
    await stopClock(page)
    await mute.press('Shift')
    await page.keyboard.press(key)
    await expect(button(page, 'Unmute Amina Yusuf')).toBeFocused()
    await page.keyboard.press(key)
    await page.clock.resume()
    await expectState(page, amina, 'muted', { is_muted: true })
    await pressByKey(page, 'Actions for Amina Yusuf') // a later press counts
    await expect(page.getByRole('menu')).toBeVisible()
    expect(sent).toEqual([`${amina.id}/mute`])
  })
}

test('a name and a double press of Enter lead to the tile, and unmute nobody', async ({
  amina,
  page,
  room,
  openOnline,
  sent,
}) => {
  await room.muteAll()
  await openOnline()
  await expectState(page, amina, 'muted')
  await page.keyboard.type('amina yusuf')
  await expect(page.locator('[data-user-id]')).toHaveCount(1)
  await stopClock(page)
  await page.keyboard.press('Enter')
  await expect(button(page, 'Unmute Amina Yusuf')).toBeFocused()
  await page.keyboard.press('Enter')
  await page.clock.resume()
  await pressEnter(button(page, 'Actions for Amina Yusuf'))
  await expect(page.getByRole('menu')).toBeVisible()
  expect(sent).toEqual([])
})

test('a key that is held down is one press: it opens the menu, and presses nothing there', async ({
  amina,
  page,
  room,
  openOnline,
  sent,
}) => {
  await room.muteAll()
  await openOnline()
  await expectState(page, amina, 'muted')
  const first = page.getByRole('menuitem', { name: 'Unmute', exact: true })
  await holdEnter(page, button(page, 'Actions for Amina Yusuf'), first)
  await expect(first).toBeFocused()
  await pressEnter(first)
  await expectState(page, amina, 'listening')
  expect(sent).toEqual([`${amina.id}/unmute`])
})
/** Lets no time pass between two presses, however slow the machine is. */
async function stopClock(page: Page): Promise<void> {
  await page.clock.install()
  await page.clock.pauseAt(Date.now() + 1_000)
}
