import { FAILED_CALL } from './support/console-errors.ts'
import {
  button,
  choose,
  collectActs,
  expectPhone,
  expectState,
  press,
  queue,
  test,
  tile,
} from './support/online-room.ts'
import { expect } from './support/test.ts'
import { expectToast } from './support/toasts.ts'

test('Mute All counts the phones that acknowledged, are pending, or went offline', async ({ room, openOnline }) => {
  await room.join('Amina Yusuf')
  await room.join('Ben Carter')
  const chen = await room.join('Chen Wei')
  const page = await openOnline()
  chen.phone.drop() // has no network
  await button(page, 'Mute All').click()
  await expect(page.getByText('Muted 2 of 3, waiting for 1 phone')).toBeVisible()
  await room.act(chen, 'logout')
  await expect(page.getByText('Muted 2 of 3, 1 not reached')).toBeVisible()
  await expect(page.getByText('Mute All is on')).toBeVisible()
})

test('Mute All does not wait for a phone that is not answering', async ({ room, openOnline }) => {
  await room.join('Amina Yusuf')
  const ben = await room.join('Ben Carter')
  const page = await openOnline()
  await room.sleep(ben)
  await expect(tile(page, ben)).toContainText('Not answering')
  await button(page, 'Mute All').click()
  await expect(page.getByText('Muted 1 of 2, 1 not answering')).toBeVisible()
  await ben.phone.reconnect()
  await expect(page.getByText('All 2 phones acknowledged')).toBeVisible()
})

test('Undo after Mute All restores the earlier state, including single mutes', async ({ room, openOnline }) => {
  const amina = await room.join('Amina Yusuf')
  const ben = await room.join('Ben Carter')
  await room.act(amina, 'mute')
  const page = await openOnline()
  await expectState(page, amina, 'muted')
  const undo = page.getByRole('button', { name: /^Undo/ })
  const benIsMuted = ben.phone.waitForEvent((event) => event.name === 'host-mute-all' && event.data.active, {
    timeoutMs: 60_000,
  })
  await button(page, 'Mute All').click()
  await benIsMuted
  await undo.click()
  await expect(undo).toHaveCount(0)
  await expectState(page, ben, 'listening', { is_muted: false })
  await expectState(page, amina, 'muted', { is_muted: true })
  await expect(page.getByText('Mute All is on')).toHaveCount(0)
})

test('a Mute All that fails is taken back', async ({ page, room, openOnline, consoleErrors }) => {
  consoleErrors.allow(FAILED_CALL)
  await room.join('Amina Yusuf')
  const flag = page.getByText('Mute All is on')
  await page.route('**/trigger-bulk-mute/mute', async (route) => {
    await expect(flag).toBeVisible() // at once, before there is an answer
    await route.abort()
  })
  await openOnline()
  await button(page, 'Mute All').click()
  await expectToast(page, 'Failed to mute users')
  await expect(flag).toHaveCount(0)
})

test('with more than ten people, Unmute All and Logout All ask first', async ({ page, room, openOnline }) => {
  const people = await room.joinAll()
  const acts = collectActs(page)
  await openOnline()
  const question = page.getByRole('dialog')
  await button(page, 'Mute All').click()
  await expect(page.getByText('All 12 phones acknowledged')).toBeVisible()
  for (const person of people) await expectPhone(person, { is_muted: true })

  await button(page, 'Unmute All').click()
  await expect(question).toHaveAccessibleName('Unmute 12 people?')
  await button(question, 'Cancel').click()
  await expect(question).toHaveCount(0)
  await button(page, 'Logout All').click()
  await expect(question).toHaveAccessibleName('Log out 12 people?')
  await button(question, 'Cancel').click()
  await expect(question).toHaveCount(0)

  await button(page, 'Unmute All').click()
  await button(question, 'Unmute All').click()
  for (const person of people) await expectPhone(person, { is_muted: false })
  await button(page, 'Logout All').click()
  await button(question, 'Logout All').click()
  await expectToast(page, '12 users logged out')
  for (const person of people) await expectPhone(person, { ended: 'logout' })
  await expect(page.getByText('No users are currently online')).toBeVisible()
  expect(acts.slice(0, 3)).toEqual(['trigger-bulk-mute/mute', 'trigger-bulk-mute/unmute', 'users/bulk/logout'])
})

test('bulk actions report an empty room', async ({ openOnline }) => {
  const page = await openOnline()
  await expect(page.getByText('No users are currently online')).toBeVisible()
  for (const name of ['Mute All', 'Unmute All', 'Logout All']) {
    await button(page, name).click()
    await expectToast(page, 'No users to perform action on')
  }
  const cleanedUp = page.waitForResponse('**/cleanup-stale-users')
  await button(page, 'Refresh').click()
  expect((await cleanedUp).status()).toBe(200)
})

test("shows the server's message when an action fails, else a fixed text", async ({
  page,
  room,
  openOnline,
  consoleErrors,
}) => {
  consoleErrors.allow(FAILED_CALL)
  const amina = await room.join('Amina Yusuf')
  const ben = await room.join('Ben Carter')
  await ben.phone.raiseHand()
  await openOnline()
  await expect(queue(page)).toHaveText([/Ben Carter/])
  await page.route(
    (url) => url.pathname.startsWith('/api/host/'),
    (route) => (route.request().method() === 'POST' ? route.abort() : route.fallback()),
  )
  await page.route('**/trigger-bulk-mute/mute', (route) =>
    route.fulfill({ status: 503, json: { success: false, code: 'busy', message: 'Too busy just now.' } }),
  )
  for (const [item, text] of [
    ['Mute', 'Failed to mute user'],
    ['Copy credentials', 'Failed to copy credentials'],
    ['Log out', 'Failed to logout user'],
  ] as const) {
    await choose(page, amina, item)
    await expectToast(page, text)
  }
  await press(page, 'Lower the hand of Ben Carter')
  await expectToast(page, 'Failed to lower the hand')
  for (const [name, text] of [
    ['Mute All', 'Too busy just now.'],
    ['Unmute All', 'Failed to unmute users'],
    ['Logout All', 'Failed to logout users'],
    ['Refresh', 'Failed to refresh data'],
  ] as const) {
    await button(page, name).click()
    await expectToast(page, text)
  }
  await expectState(page, amina, 'listening', { is_muted: false, ended: null })
  await expect(queue(page)).toHaveText([/Ben Carter/])
})
