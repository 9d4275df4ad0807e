import type { Page } from '@playwright/test'
import { pressEnter } from './support/keys.ts'
import { button, pressByKey } from './support/online-room.ts'
import { test } from './support/phone-app.ts'
import { isSeat, test as seatRoom } from './support/seat-room.ts'
import { expect } from './support/test.ts'

const dock = (page: Page) => page.getByRole('region', { name: 'The host’s seat' })
const guest = (page: Page, name: string) =>
  page.getByRole('list', { name: 'In Zoom only' }).getByRole('listitem').filter({ hasText: name })

test('a seat starts the meeting, sees who has no phone app, and moves to another console', async ({
  page,
  server,
  consoleErrors,
  meeting,
  room,
  joinApp,
  newContext,
  openOnline,
}) => {
  // A last report of the console from which the seat is taken, and a join at Zoom before the former seat has left it.
  consoleErrors.allow(/status of 40[09]/)
  await openOnline()
  await button(page, 'Take the host’s seat').click()
  await expect(dock(page).getByText('You have the host’s seat')).toBeVisible()
  await expect(button(page, 'End meeting')).toBeVisible()

  const lee = await (await newContext()).newPage()
  await lee.goto(`${server.emulator_origin}/zoom/j/${meeting.number}?name=Lee&tone=440&join=1`)
  await expect(guest(page, 'Lee')).toContainText('Muted') // upon entry
  await button(lee, 'Unmute').click()
  await expect(guest(page, 'Lee')).toContainText('Speaking')
  await pressByKey(guest(page, 'Lee'), 'Mute Lee')
  await expect(guest(page, 'Lee')).toContainText('Muted')
  await expect(button(lee, 'Unmute')).toBeVisible()

  const amina = await joinApp(room.personNamed('Amina Yusuf'))
  await expect(page.locator(`[data-user-id="${amina.id}"]`)).toBeVisible()
  await expect(guest(page, 'Amina Yusuf')).toHaveCount(0)

  const other = await openOnline(await (await newContext()).newPage())
  await expect(guest(other, 'Lee')).toBeVisible()
  await expect(other.getByText(/^The browser of .+ has the host’s seat\.$/)).toBeVisible()
  await button(other, 'Take the seat over').press('Enter')
  await expect(dock(other).getByText('You have the host’s seat')).toBeVisible()
  await expect(dock(page).getByText('Another console has taken over the host’s seat')).toBeVisible()
  await expect(page.locator('iframe')).toHaveCount(0)
  await expect(guest(page, 'Lee')).toBeVisible()

  other.on('dialog', (dialog) => void dialog.accept()) // asks before the tab is left
  await other.reload()
  await expect(dock(other).getByText('You have the host’s seat')).toBeVisible()
  await expect(guest(other, 'Lee')).toBeVisible()
  await lee.close()
  await expect(guest(other, 'Lee')).toHaveCount(0)

  await button(dock(other), 'Leave the seat').click()
  const question = other.getByRole('dialog', { name: 'Leave the host’s seat?' })
  await expect(question).toContainText('You are the only host')
  await pressEnter(button(question, 'Leave the seat'))
  await expect(button(other, 'Take the host’s seat')).toBeVisible()
  await expect(dock(other)).toHaveCount(0)
})

seatRoom('a host who signs out leaves the meeting first', async ({ page, takeSeat, inMeeting }) => {
  await takeSeat()
  await pressEnter(button(page, 'Log out'))
  const question = page.getByRole('dialog', { name: 'Leave the host’s seat, and sign out?' })
  await expect(question).toContainText('the meeting goes on without a host')
  await pressEnter(button(question, 'Cancel'))
  await expect(question).toHaveCount(0)
  await expect(dock(page).getByText('You have the host’s seat')).toBeVisible()

  await pressEnter(button(page, 'Log out'))
  await pressEnter(button(question, 'Sign out'))
  await expect(page.getByRole('heading', { name: 'Host Login' })).toBeVisible()
  expect((await inMeeting()).filter(isSeat)).toEqual([])
})
