import type { Page } from '@playwright/test'
import { pressEnter } from './support/keys.ts'
import { button } from './support/online-room.ts'
import { dock, guest, isSeat, test, zoomPanel } from './support/seat-room.ts'
import { expect } from './support/test.ts'
import { control } from './support/zoom.ts'

test.use({ serverEnv: { HOST_SEAT_SOUND: 'true' }, permissions: ['microphone'] })

test('a seat joins the sound on the host’s press alone, sees then who speaks, and neither sends nor plays anything', {
  tag: '@realtime',
}, async ({ page, server, takeSeat, speakInZoom, inMeeting }) => {
  await control(server, '/options', { speakers_need_audio: true })
  const seats = async () => (await inMeeting()).filter(isSeat)
  await takeSeat()
  await speakInZoom('Gina', 660)
  await expect(guest(page, 'Gina')).toContainText('Microphone on')
  expect(await mayUse(page, 'microphone')).toBe(false)

  await button(dock(page), 'Fold the seat').click()
  await pressEnter(button(dock(page), 'Join the sound'))
  await expect(dock(page).getByText('Press Zoom’s own button that joins the audio')).toBeVisible()
  await expect(button(dock(page), 'Stay without sound')).toBeFocused()
  await expect(dock(page)).toHaveAttribute('data-size', 'small') // folded, its button could not be pressed
  await zoomPanel(page)
    .getByRole('button', { name: 'Join Audio' })
    .evaluate((press: HTMLElement) => press.click())
  await expect.poll(seats).toMatchObject([{ audio: '', isHost: true }]) // the only one, and not by a script
  await expect(guest(page, 'Gina')).not.toContainText('Speaking')

  await zoomPanel(page).getByRole('button', { name: 'Join Audio' }).click()
  await expect(guest(page, 'Gina')).toContainText('Speaking')
  await expect(dock(page)).toHaveAttribute('data-size', 'line')
  await expect(button(dock(page), 'Leave the sound')).toBeVisible()
  await expect.poll(seats).toMatchObject([{ audio: 'computer', muted: true }])
  const opened = page.waitForRequest((sent) => /\/state$/.test(sent.url()) && sent.postDataJSON().muted === false)
  await zoomPanel(page).getByRole('button', { name: 'Unmute' }).press('Enter') // its microphone has bursts of a tone
  await opened
  await expect.poll(seats).toMatchObject([{ muted: true, frames: 0 }])
  const played = await seatFrame(page).evaluate(() => [...document.querySelectorAll('audio')].map(({ muted }) => muted))
  expect([played.length > 0, played.every(Boolean)]).toEqual([true, true])

  page.once('dialog', (dialog) => void dialog.accept())
  await page.reload()
  await expect(dock(page).getByText('Press Zoom’s own button that joins the audio')).toBeVisible()
  await pressEnter(button(dock(page), 'Stay without sound'))
  await expect(button(dock(page), 'Join the sound')).toBeFocused()
  await expect(dock(page).getByText('You have the host’s seat')).toBeVisible()
  expect(await mayUse(page, 'microphone')).toBe(false)
})

const seatFrame = (page: Page) => {
  const frame = page.frames().find((one) => new URL(one.url() || 'about:blank').hostname.startsWith('meeting.'))
  if (!frame) throw new Error('There is no seat')
  return frame
}

/** Reads from the browser whether it lets the page in the seat's frame use a feature. */
const mayUse = (page: Page, feature: string) =>
  seatFrame(page).evaluate(
    (name) =>
      (
        document as unknown as { featurePolicy: { allowsFeature: (name: string) => boolean } }
      ).featurePolicy.allowsFeature(name),
    feature,
  )
