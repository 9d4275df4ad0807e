import type { Locator } from '@playwright/test'
import { button, pressByKey } from './support/online-room.ts'
import { chooseOfGuest, guest, test } from './support/seat-room.ts'
import { expect } from './support/test.ts'
import { ToneRecorder } from './support/tones.ts'

const [GINA, GUS] = [660, 880]
const SILENCE_MS = 1_000

test('a guest’s hand is lowered, the guest is held, let in again and removed, each within its time', {
  tag: '@realtime',
}, async ({ page, takeSeat, joinZoom, speakInZoom }) => {
  await takeSeat()
  const gina = await joinZoom('Gina', GINA)
  await button(gina, 'Raise Hand').click()
  await expect(guest(page, 'Gina')).toContainText('Wants to speak')
  const lowered = await chooseOfGuest(page, 'Gina', 'Lower hand')
  await expectWithin(1_500, lowered, button(gina, 'Raise Hand'))

  await button(gina, 'Unmute').click()
  const gus = await speakInZoom('Gus', GUS)
  const [atGina, atGus] = [await ToneRecorder.start(gina, [GUS]), await ToneRecorder.start(gus, [GINA])]
  await atGina.hears(GUS)
  await atGus.hears(GINA)
  const held = await chooseOfGuest(page, 'Gina', 'Send to the waiting room')
  await expectWithin(1_500, held, gina.getByText('Please wait, the meeting host will let you in soon.'))
  const alone = Date.now() + 500
  expect(await atGina.heard(alone, alone + SILENCE_MS, GUS)).toEqual([])
  expect(await atGus.heard(alone, alone + SILENCE_MS, GINA)).toEqual([])
  await expect(guest(page, 'Gina')).toHaveCount(0)
  await expect(page.getByText('1 in Zoom’s waiting room')).toBeVisible()

  await pressByKey(page, 'Admit Gina')
  await expectWithin(1_000, Date.now(), button(gina, 'Raise Hand'))
  await expect(guest(page, 'Gina')).toBeVisible()
  await atGina.hears(GUS)

  const removed = await removeGuest('Gina')
  await expectWithin(1_500, removed, gina.getByText('You have been removed.'))
  await expect(guest(page, 'Gina')).toHaveCount(0)
  await expect(guest(page, 'Gus')).toBeVisible()
  const again = await removeGuest('Gus') // Zoom removes one in five seconds
  await expectWithin(6_600, again, gus.getByText('You have been removed.'))
  await expect(guest(page, 'Gus')).toHaveCount(0)

  async function removeGuest(name: string) {
    await chooseOfGuest(page, name, 'Remove from the meeting')
    const question = page.getByRole('dialog', { name: `Remove ${name} from the meeting?` })
    await pressByKey(question, 'Remove')
    return Date.now()
  }
})

/** Waits until the element is shown, for so long from then on. */
async function expectWithin(ms: number, from: number, locator: Locator): Promise<void> {
  await expect(locator).toBeVisible({ timeout: Math.max(1, from + ms - Date.now()) })
}
