import { pressEnter } from './support/keys.ts'
import { button, test, tile } from './support/online-room.ts'
import { expect } from './support/test.ts'
import { expectToastOn } from './support/toasts.ts'
import { control } from './support/zoom.ts'
import { addZoomHost, roomOf } from './support/zoom-host.ts'

test.use({ host: async ({ server }, use) => use(await addZoomHost(server)) })

test('starts the meeting in a tab of Zoom, shows who is in it, records it and ends it', async ({
  page,
  server,
  host,
  room,
  openOnline,
}) => {
  const amina = await room.join('Amina Yusuf')
  const ben = await room.join('Ben Carter')
  await openOnline()
  const meeting = page.getByRole('group', { name: 'Meeting' })
  const recording = page.getByRole('group', { name: 'Recording' })
  await expect(meeting.getByText('Meeting not running')).toBeVisible()
  await expect(button(recording, 'Record')).toHaveCount(0)
  await expect(page.locator('[data-presence]')).toHaveCount(0)

  const opened = page.context().waitForEvent('page')
  await button(meeting, 'Start meeting').click()
  const zoom = await opened
  await expect(zoom.getByRole('heading', { name: host.room_name })).toBeVisible()
  await expect(zoom.getByText('The meeting is running')).toBeVisible()
  expect(await zoom.evaluate(() => [window.opener, document.referrer])).toEqual([null, ''])
  await zoom.close()
  await expect(button(page, 'End meeting')).toBeVisible()
  await page.getByRole('button', { name: /^Recording/ }).click()
  await expect(meeting.getByText(/^Running for/)).toBeVisible()
  await expect(recording.getByText('Recording', { exact: true })).toBeVisible()

  const { zoom_meeting_id } = await roomOf(server, host)
  const joining = { customer_key: amina.id, user_name: amina.username }
  await control(server, `/meetings/${zoom_meeting_id}/participants/join`, joining)
  await expect(tile(page, amina).locator('[data-presence=meeting]')).toBeVisible()
  await expect(tile(page, ben).locator('[data-presence=app]')).toBeVisible()

  // Uses the keyboard, since a click on a button that has just appeared is ignored.
  await pressEnter(button(recording, 'Pause'))
  await expectToastOn(page, 'Recording paused')
  await expect(recording.getByText('Recording paused')).toBeVisible()
  await pressEnter(button(recording, 'Resume'))
  await expect(recording.getByText('Recording', { exact: true })).toBeVisible()
  await pressEnter(button(recording, 'Stop'))
  await expect(recording.getByText('Not recording')).toBeVisible()
  await pressEnter(button(recording, 'Record'))
  await expectToastOn(page, 'Recording started')

  await button(page, 'End meeting').click() // it has no second button among the meeting's

  const question = page.getByRole('dialog', { name: 'End the meeting for 1 user?' })
  await button(question, 'End meeting').click()
  await expectToastOn(page, 'The meeting has ended')
  await expect(meeting.getByText('Meeting not running')).toBeVisible()
  await expect(page.locator('[data-presence]')).toHaveCount(0)
})

test('a meeting that ends right after its start is waited for no longer', async ({ page, openOnline }) => {
  await openOnline()
  const opened = page.context().waitForEvent('page')
  await button(page, 'Start meeting').click()
  await expect((await opened).getByText('The meeting is running')).toBeVisible()
  await button(page, 'End meeting').click()
  await button(page.getByRole('dialog', { name: 'End the meeting?' }), 'End meeting').click()
  await expectToastOn(page, 'The meeting has ended')
  await expect(button(page, 'Start meeting')).toBeVisible()
  await expect(page.getByText('Meeting not running')).toBeVisible()
})
