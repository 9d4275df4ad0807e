import type { Page } from 'playwright-core'
import { expect, test, vi } from 'vitest'
import { button, onlineRoomOf, queue, says, tile } from './online-console.ts'
import { nameOf } from './online-room.ts'

const { room, console, holds } = onlineRoomOf(9)

test('REL-54 two consoles of one room show the same, and a cut network is told and mended', {
  timeout: 60_000,
}, async () => {
  const { page: one } = await console()
  const { page: other, context, complaints } = await console()
  await button(one, 'Mute All').click()
  await says(other, 'Mute All is on')
  await tile(other, 4, 'muted').waitFor()
  await button(other, `Unmute ${nameOf(4)}`).press('Enter') // a tile that has just come takes no click
  await tile(one, 4, 'listening').waitFor()
  await holds(4, { is_muted: false })

  await context.setOffline(true)
  await other.getByRole('alert').getByText('No answer from the server.').waitFor({ timeout: 10_000 })
  await says(other, 'Not live')
  expect(await button(other, 'Mute All').isDisabled()).toBe(true)
  expect(await button(other, `Unmute ${nameOf(5)}`).isDisabled()).toBe(true)
  await button(one, `Unmute ${nameOf(5)}`).press('Enter')
  await tile(one, 5, 'listening').waitFor()
  await context.setOffline(false)
  await other.getByText('Live', { exact: true }).waitFor({ timeout: 20_000 })
  await tile(other, 5, 'listening').waitFor()
  expect(await button(other, 'Mute All').isEnabled()).toBe(true)
  complaints.splice(0) // the browser notes each call that could not go out
})

test('REL-33 seven tabs of one host all work, with one stream between them', { timeout: 60_000 }, async () => {
  const { page, context } = await console()
  const streams: string[] = []
  context.on('request', (request) => request.url().includes('/mobile/events/') && streams.push(request.url()))
  const others = await Promise.all(Array.from({ length: 6 }, () => context.newPage()))
  await Promise.all(others.map((tab) => tab.goto(page.url())))
  const pages = [page, ...others]
  await Promise.all(pages.map((tab) => tab.getByText('Live', { exact: true }).waitFor()))
  await room().phone(6).raiseHand()
  await Promise.all(pages.map((tab) => tile(tab, 6, 'wants-to-speak').waitFor()))
  expect(streams).toEqual([])
  const muteOne = async (tab: Page, index: number) => {
    await button(tab, `Actions for ${nameOf(index)}`).click()
    await tab.getByRole('menuitem', { name: 'Mute' }).click()
    await holds(index, { is_muted: true })
  }
  await Promise.all(pages.map(muteOne))
  // When the tab that hears for all is closed, another one hears.
  await page.close()
  await vi.waitFor(() => expect(streams).toHaveLength(1), { timeout: 10_000 })
  await room().phone(8).raiseHand()
  await Promise.all(pages.slice(1).map((tab) => tile(tab, 8, 'wants-to-speak').waitFor()))
})

test('Zoom: who is in the meeting, and what is recorded', { timeout: 60_000 }, async () => {
  const { page, complaints } = await console()
  await says(page, 'Meeting not running')
  expect(await page.locator('[data-presence]').count()).toBe(0)
  await button(page, 'Record').click()
  await says(page, 'The meeting is not running. Start it first.')
  complaints.splice(0) // the browser notes the refusal

  await room().meeting('start')
  await room().meeting('participants/join', { customer_key: room().phone(0).user.id, user_name: nameOf(0) })
  await tile(page, 0).locator('[data-presence=meeting]').waitFor()
  await tile(page, 1).locator('[data-presence=app]').waitFor()
  expect(await tile(page, 0).textContent()).toContain('in the meeting')
  const recording = page.getByRole('group', { name: 'Recording' })
  await recording.getByText('Recording', { exact: true }).waitFor({ timeout: 10_000 })
  await recording.getByRole('button', { name: 'Pause' }).click()
  await says(page, 'The recording is paused')
  await recording.getByText('Recording paused').waitFor()
  await recording.getByRole('button', { name: 'Resume' }).click()
  await recording.getByText('Recording', { exact: true }).waitFor()
  await recording.getByRole('button', { name: 'Stop' }).click()
  await recording.getByText('Not recording').waitFor()
  await recording.getByRole('button', { name: 'Record' }).click()
  await says(page, 'The recording has started')
  await room().meeting('end')
})

test('the search goes to a page or a person, the menu folds, the dashboard checks', { timeout: 60_000 }, async () => {
  const { page } = await console()
  const jump = async (words: string, option: string | RegExp) => {
    await page.keyboard.press('/')
    await page.getByRole('combobox').fill(words)
    await page.getByRole('option', { name: option }).click()
  }
  await jump('zoë', nameOf(5))
  await tile(page, 4).waitFor({ state: 'detached' })
  expect(await page.getByLabel('Filter participants').inputValue()).toBe('U000006')
  expect(new URL(page.url()).search).toBe('')
  await jump('hannah', /not online/)
  await page.waitForURL('**/host/users')
  await page.getByRole('row', { name: /Hannah Weiss/ }).waitFor()
  expect(await page.getByRole('row').count()).toBe(2)
  await page.getByRole('button', { name: /^Inactive/ }).click()
  await says(page, 'No users found')
  await jump('hannah', /not online/) // who is not among those
  await page.getByRole('row', { name: /Hannah Weiss/ }).waitFor()

  await jump('dash', 'Dashboard')
  await page.waitForURL('**/host/dashboard')
  await says(page, 'Ready to go live?')
  await says(page, 'Zoom is connected')
  await says(page, /phones? ha(s|ve) an older app/)
  await page.getByRole('button', { name: 'Menu' }).click()
  await page.getByText('Admin Panel').waitFor({ state: 'detached' })
  await page.getByRole('link', { name: 'Users Master' }).first().click()
  await page.waitForURL('**/host/users')
})

test('under a thumb, at 390 px, everything that can be pressed is large enough', { timeout: 60_000 }, async () => {
  const { page } = await console({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })
  await room().phone(0).speak()
  await room().phone(1).raiseHand()
  await room().act(2, 'mute')
  await queue(page).first().waitFor()
  await tile(page, 2, 'muted').waitFor()
  await tile(page, 0, 'speaking').waitFor()
  const small = await page.locator('main button:visible').evaluateAll((buttons) =>
    buttons.flatMap((one) => {
      const { width, height } = one.getBoundingClientRect()
      return Math.min(width, height) < 40
        ? [`${one.getAttribute('aria-label') ?? one.textContent}: ${width} x ${height}`]
        : []
    }),
  )
  expect(small).toEqual([])
  await page.waitForTimeout(300) // a tap sooner after the row came is taken for one that was meant for something else
  await button(page, `Allow ${nameOf(1)}`).tap()
  await holds(1, { wants_to_speak: false })
})
