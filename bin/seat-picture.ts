import type { Page } from '@playwright/test'
import { createSchedule } from '../shared/phone/schedule.ts'
import { readClips } from '../simulator/clip-player.ts'
import { type MeetingInvitation, PlainZoomUser } from '../simulator/plain-zoom-user.ts'
import { seededRandom } from '../simulator/random.ts'

const NAMES = ['Olga K.', 'Ifeoma’s iPad', 'Lars and Signe', '+44******0134'] as const

/** Takes the host's seat on the open page, with four users of Zoom alone in the meeting, of whom the first speaks. */
export async function takeSeat(page: Page, zoom: string, invitation: MeetingInvitation): Promise<() => Promise<void>> {
  const schedule = createSchedule()
  const leaving = new AbortController()
  const users = NAMES.map(
    (name) =>
      new PlainZoomUser({
        ...{ name, zoom, invitation, schedule, random: seededRandom(name) },
        isOnTelephone: name.startsWith('+'),
      }),
  )
  const attending = users.map((user) => user.attend(leaving.signal))
  await page.getByRole('button', { name: 'Take the host’s seat' }).click()
  const tiles = page.getByRole('list', { name: 'In Zoom only' }).getByRole('listitem')
  for (const name of NAMES) await tiles.filter({ hasText: name }).waitFor()
  const [speaker, open, asking] = users
  await open?.setMuted(false)
  await asking?.raiseHand(true)
  void keepSpeaking(speaker, leaving.signal)
  await tiles.getByText('Speaking').waitFor()
  await tiles.getByText('Wants to speak').waitFor()
  await page.getByRole('button', { name: 'Fold the seat' }).click()
  await tiles.last().evaluate((tile) => tile.scrollIntoView({ block: 'end' }))
  await page.mouse.wheel(0, 120)
  return async () => {
    leaving.abort()
    await Promise.all(attending)
    schedule.close()
  }
}

async function keepSpeaking(speaker: PlainZoomUser | undefined, signal: AbortSignal) {
  while (!signal.aborted) for (const clip of readClips()) await speaker?.speak(clip)
}
