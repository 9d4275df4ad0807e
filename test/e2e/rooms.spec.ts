import { formatMeetingId } from '../../web/features/rooms/format-meeting-id.ts'
import { FAILED_CALL } from './support/console-errors.ts'
import { keepSession } from './support/hosts.ts'
import { refuseCalls } from './support/refuse-calls.ts'
import { expect, test } from './support/test.ts'
import { expectToast } from './support/toasts.ts'
import { addZoomHost, roomOf } from './support/zoom-host.ts'

test('Rooms Master shows the room, and that it has no Zoom', async ({
  hostPage: page,
  host,
  server,
  addPeople,
  consoleErrors,
}) => {
  consoleErrors.allow(FAILED_CALL)
  await addPeople(['amina', 'bela'])
  const refusal = await refuseCalls(page, 'GET', '**/api/host/room')
  await page.goto(`${server.host_url}/host/rooms`)
  await expect(page.getByText('Failed to load the room')).toBeVisible()
  refusal.stop()
  await page.getByRole('button', { name: 'Try again' }).click()
  const row = page.getByRole('table', { name: 'Your room' }).getByRole('row').nth(1)
  await expect(row).toHaveText(new RegExp(`${host.room_name}.*2.*Not connected to Zoom.*None`))
  await expect(page.getByRole('button', { name: 'New passcode' })).toHaveCount(0)
})

test('Rooms Master shows the meeting, and reveals its password', async ({ page, server }) => {
  const host = await addZoomHost(server)
  const { zoom_meeting_id, password } = await roomOf(server, host)
  await keepSession(page, server.host_url, host)
  await page.goto(`${server.host_url}/host/rooms`)
  const row = page.getByRole('table', { name: 'Your room' }).getByRole('row').nth(1)
  await expect(row).toContainText(formatMeetingId(zoom_meeting_id ?? ''))
  await expect(row).toContainText('••••••')
  await expect(row).not.toContainText(password ?? '')
  await row.getByRole('button', { name: 'Show password' }).click()
  await expect(row).toContainText(password ?? '')
})

test('changes the passcode after a confirmation, and shows the new one', async ({ page, server, consoleErrors }) => {
  consoleErrors.allow(FAILED_CALL)
  const host = await addZoomHost(server)
  const { password: before } = await roomOf(server, host)
  await keepSession(page, server.host_url, host)
  await page.goto(`${server.host_url}/host/rooms`)
  const row = page.getByRole('table', { name: 'Your room' }).getByRole('row').nth(1)
  await row.getByRole('button', { name: 'Show password' }).click()
  await expect(row).toContainText(before ?? '')
  const open = page.getByRole('button', { name: 'New passcode', exact: true })
  const dialog = page.getByRole('dialog')

  await open.click()
  await expect(dialog).toContainText('People who are in the meeting stay in it.')
  await expect(dialog).toContainText('Phones get the new passcode by themselves when they next join.')
  await page.getByRole('button', { name: 'Cancel' }).click()
  await expect(dialog).toHaveCount(0)
  expect((await roomOf(server, host)).password).toBe(before)

  await refuseCalls(page, 'POST', '**/host/room/passcode', { times: 1 })
  await open.click()
  await page.getByRole('button', { name: 'Set new passcode' }).click()
  await expectToast(page, 'Failed to set a new passcode')

  await open.press('Enter')
  await page.getByRole('button', { name: 'Set new passcode' }).press('Enter')
  await expectToast(page, 'The meeting has a new passcode')
  await expect(open).toBeFocused()
  await expect(row).not.toContainText(before ?? '')
  const { password: after } = await roomOf(server, host)
  expect(after).not.toBe(before)
  await expect(row).toContainText(after ?? '')
})

test('stops the room after a confirmation, which signs out its phones', async ({
  hostPage: page,
  server,
  addPeople,
  openPhone,
  consoleErrors,
}) => {
  consoleErrors.allow(FAILED_CALL)
  const [amina] = await addPeople(['amina'])
  if (!amina) throw new Error('amina was not added')
  const phone = await openPhone(amina)
  await page.goto(`${server.host_url}/host/host-master`)
  const button = (name: string) => page.getByRole('button', { name, exact: true })
  const dialog = page.getByRole('dialog')

  await button('C · Change phone').click()
  await expect(dialog).toContainText(
    'Your present phone is signed out. The next phone that you sign in from becomes yours.',
  )
  await button('Cancel').click()
  await expect(dialog).toHaveCount(0)
  await button('S · Stop room').click()
  await expect(dialog).toContainText(
    'Every phone in the room is signed out, and none can sign in until you activate the room again.',
  )
  await button('Cancel').click()
  await expect(dialog).toHaveCount(0)

  await refuseCalls(page, 'POST', '**/host/profile/stop', { times: 1 })
  await button('S · Stop room').click()
  await button('Stop room').click()
  await expectToast(page, 'Failed to stop user')
  await expect(dialog).toHaveCount(0)
  expect(phone.state.ended).toBeNull()
  const stopped = phone.waitForEvent(({ name, data }) => name === 'user-deactivated' && data.reason === 'stopped', {
    timeoutMs: 60_000,
  })
  await button('S · Stop room').click()
  await button('Stop room').click()
  await expectToast(page, 'The room is stopped. Phones cannot sign in until it is activated.')
  await stopped
  await expect.poll(() => phone.state.ended).toBe('stopped')
})
