import type { Page } from '@playwright/test'
import { FAILED_CALL } from './support/console-errors.ts'
import { choose, expectState, pressByKey, queue, test, tile } from './support/online-room.ts'
import { expect } from './support/test.ts'

test('a speaking user has a red tile, and can be muted in Active Users', async ({ room, openOnline }) => {
  const amina = await room.join('Amina Yusuf')
  await room.join('Ben Carter')
  const page = await openOnline()
  await expect(page.getByRole('definition').first()).toHaveText('2')

  await amina.phone.speak()
  await expectState(page, amina, 'speaking')
  await expect(tile(page, amina)).toHaveAttribute('data-colour', 'red')
  await pressByKey(page, 'Mute Amina Yusuf')
  await expectState(page, amina, 'muted', { is_muted: true, is_speaking: false })
  await expect(page.getByText('No one is speaking')).toBeVisible()
})

test('a phone that does not answer is marked wherever it shows as online, until it answers', async ({
  page,
  room,
  openOnline,
  consoleErrors,
}) => {
  consoleErrors.allow(FAILED_CALL)
  const amina = await room.join('Amina Yusuf')
  const ben = await room.join('Ben Carter')
  await amina.phone.raiseHand()
  await openOnline()
  await expectState(page, amina, 'wants-to-speak')
  await page.route('**/api/host/online-users', (route) => route.abort()) // only the stream delivers changes now
  const announced = announcement(page, 'is not answering.')
  await room.sleep(amina)
  await expect(tile(page, amina)).toContainText('Not answering, Wants to speak')
  await expect(queue(page)).toHaveText([/Amina Yusufnot answering, \d:\d\d/])
  await expect(page.getByRole('button', { name: /^Not answering/ })).toHaveText(/1$/)
  expect(await announced).toBe('Amina Yusuf is not answering.')
  await expect(tile(page, ben)).toContainText('Listening')
  await amina.phone.reconnect()
  await expect(tile(page, amina)).not.toContainText('Not answering')
  await expect(page.getByRole('button', { name: /^Not answering/ })).toHaveText(/0$/)
  await page.unroute('**/api/host/online-users')

  await room.sleep(amina)
  await expect(tile(page, amina)).toContainText('Not answering')
  await choose(page, amina, 'Details')
  await expect(page.getByRole('dialog', { name: 'Amina Yusuf' }).getByText('Not answering').first()).toBeVisible()
  await page.keyboard.press('Escape')
  await page.getByRole('link', { name: 'Users Master' }).click()
  const statusOf = (name: string) => page.getByRole('row', { name }).getByRole('cell').nth(9)
  await expect(statusOf('Amina Yusuf')).toContainText('Not answering')
  await expect(statusOf('Ben Carter')).toContainText('Online')
})

/** Resolves with the next announcement that contains these words; it is only present for a moment. */
function announcement(page: Page, words: string): Promise<string> {
  return page.evaluate(
    (wanted) =>
      new Promise<string>((resolve) => {
        new MutationObserver(() => {
          for (const { textContent: text } of document.querySelectorAll('[role=status]'))
            if (text.includes(wanted)) resolve(text)
        }).observe(document.body, { childList: true, characterData: true, subtree: true })
      }),
    words,
  )
}
