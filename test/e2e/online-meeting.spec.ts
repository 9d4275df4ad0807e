import { FAILED_CALL } from './support/console-errors.ts'
import { button, test, tile } from './support/online-room.ts'
import { expect } from './support/test.ts'
import { expectToast } from './support/toasts.ts'
import { control } from './support/zoom.ts'
import { addZoomHost, roomOf } from './support/zoom-host.ts'

test.use({ host: async ({ server }, use) => use(await addZoomHost(server)) })

test('marks participants of the Zoom meeting, and pauses, resumes, stops and starts its recording', async ({
  page,
  server,
  host,
  room,
  openOnline,
  consoleErrors,
}) => {
  consoleErrors.allow(FAILED_CALL)
  const amina = await room.join('Amina Yusuf')
  const ben = await room.join('Ben Carter')
  await page.clock.install()
  await openOnline()
  await expect(page.getByText('Meeting not running')).toBeVisible()
  await expect(page.locator('[data-presence]')).toHaveCount(0)
  await button(page, 'Record').click()
  await expectToast(page, 'The meeting has not started. Start the meeting, then record.')
  const meeting = `/meetings/${(await roomOf(server, host)).zoom_meeting_id}`
  await control(server, `${meeting}/start`)
  await control(server, `${meeting}/participants/join`, { customer_key: amina.id, user_name: amina.username })
  await expect(tile(page, amina).locator('[data-presence=meeting]')).toBeVisible()
  await expect(tile(page, amina)).toContainText('in the meeting')
  await expect(tile(page, ben).locator('[data-presence=app]')).toBeVisible()

  await page.clock.fastForward(5_000) // Zoom is asked again about the meeting
  const recording = page.getByRole('group', { name: 'Recording' })
  await expect(recording.getByText('Recording', { exact: true })).toBeVisible()
  await button(recording, 'Pause').click()
  await expectToast(page, 'The recording is paused')
  await expect(recording.getByText('Recording paused')).toBeVisible()
  await button(recording, 'Resume').click()
  await expect(recording.getByText('Recording', { exact: true })).toBeVisible()
  await button(recording, 'Stop').click()
  await expect(recording.getByText('Not recording')).toBeVisible()
  await button(recording, 'Record').click()
  await expectToast(page, 'The recording has started')
})
