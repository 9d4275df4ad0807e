import type { Locator, Page } from '@playwright/test'
import { FAILED_CALL } from './support/console-errors.ts'
import {
  button,
  choose,
  expectPhone,
  expectState,
  live,
  NAMES,
  pressByKey,
  queue,
  test,
  tile,
} from './support/online-room.ts'
import { expect } from './support/test.ts'

/** Exceeds by one the connections per site that a browser opens over HTTP/1.1. */
const TABS = 7

test('two consoles of one room show the same', async ({ room, openOnline, newContext }) => {
  const amina = await room.join('Amina Yusuf')
  const ben = await room.join('Ben Carter')
  const one = await openOnline()
  const other = await openOnline(await (await newContext()).newPage())

  await button(one, 'Mute All').click()
  await expect(other.getByText('Mute All is on')).toBeVisible()
  await expectState(other, amina, 'muted')
  await pressByKey(other, 'Unmute Amina Yusuf')
  await expectState(one, amina, 'listening', { is_muted: false })
  await expectState(one, ben, 'muted', { is_muted: true })
})

test('a disconnected console shows it and disables actions, and catches up when reconnected', async ({
  context,
  page,
  room,
  openOnline,
  consoleErrors,
}) => {
  consoleErrors.allow(FAILED_CALL)
  const amina = await room.join('Amina Yusuf')
  const ben = await room.join('Ben Carter')
  await room.muteAll()
  await room.act(ben, 'unmute')
  await ben.phone.speak()
  await page.clock.install()
  await openOnline()
  await expectState(page, amina, 'muted')
  const speaker = page.getByRole('list', { name: 'Speaking now' }).getByRole('listitem')
  const red = await colourOf(speaker)
  const unmute = button(page, 'Unmute Amina Yusuf')
  await unmute.focus()

  await context.setOffline(true)
  await page.clock.fastForward(5_000)
  await expect(page.getByRole('alert').getByText('Connection lost.')).toBeVisible()
  await expect(page.getByText('Out of date', { exact: true })).toBeVisible()
  await expect(button(page, 'Mute All')).toBeDisabled()
  await expect(unmute).toBeDisabled()
  await expect(page.getByText('Mute All is on')).toBeVisible()
  // An answer that was on its way when the network went makes the console live once more.
  await expect(async () => {
    const stoodAt = await textOf(speaker)
    await page.clock.runFor(3000)
    expect(await textOf(speaker)).toBe(stoodAt)
  }).toPass()
  expect(await colourOf(speaker)).not.toBe(red)
  await expect(unmute).toBeFocused()
  await room.act(amina, 'unmute')
  await expectPhone(amina, { is_muted: false })

  await context.setOffline(false)
  await expect(live(page)).toBeVisible()
  await expectState(page, amina, 'listening')
  await expect(button(page, 'Mute All')).toBeEnabled()
})

test('seven tabs of one host share one stream, and each can act', async ({ context, page, room, openOnline }) => {
  const people = await room.joinAll(NAMES.slice(0, TABS))
  const asking = await room.join('Zoë Lindqvist')
  await openOnline()
  const streams: string[] = []
  context.on('request', (request) => request.url().includes('/mobile/events/') && streams.push(request.url()))
  const others: Page[] = []
  for (let index = 1; index < TABS; index++) others.push(await openOnline(await context.newPage()))
  const pages = [page, ...others]

  await asking.phone.raiseHand()
  for (const tab of pages) await expectState(tab, asking, 'wants-to-speak')
  expect(streams).toEqual([])
  await Promise.all(
    pages.map(async (tab, index) => {
      const person = people[index]
      if (!person) throw new Error('More tabs than people')
      await choose(tab, person, 'Mute')
      await expectPhone(person, { is_muted: true })
    }),
  )

  await page.close() // the tab with the stream
  await expect.poll(() => streams).toHaveLength(1)
  await asking.phone.lowerHand()
  for (const tab of others) {
    await expect(live(tab)).toBeVisible()
    await expectState(tab, asking, 'listening')
  }
  expect(streams).toHaveLength(1)
})

test.describe('under a thumb', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })

  test('every control is large enough at 390 px', async ({ page, room, openOnline }) => {
    const amina = await room.join('Amina Yusuf')
    const ben = await room.join('Ben Carter')
    const chen = await room.join('Chen Wei')
    await room.act(chen, 'mute')
    await page.clock.install()
    await openOnline()
    await amina.phone.speak()
    await ben.phone.raiseHand()
    await expectState(page, amina, 'speaking')
    await expectState(page, chen, 'muted')
    await page.getByRole('button', { name: /^Raised hands: 1/ }).tap()
    await expect(queue(page)).toHaveText([/Ben Carter/])
    await button(page, 'Change the time for each turn').tap()
    await page.getByRole('combobox', { name: 'Time for each turn' }).selectOption('5 minutes')
    await expect(page.getByRole('checkbox', { name: 'Mute at the end' })).toBeVisible()
    const tooSmall = () =>
      page.locator('main :is(button, select):visible').evaluateAll((buttons) =>
        buttons.flatMap((one) => {
          const { width, height } = one.getBoundingClientRect()
          return Math.min(width, height) < 40
            ? [`${one.getAttribute('aria-label') ?? one.textContent}: ${width} x ${height}`]
            : []
        }),
      )
    await expect.poll(tooSmall).toEqual([])

    await page.clock.fastForward(500) // a tap on a row that has just appeared is ignored
    await button(page, 'Allow Ben Carter').tap()
    await expectPhone(ben, { wants_to_speak: false })
    await expect(tile(page, ben)).toHaveAttribute('data-state', 'listening')
  })
})

const textOf = (part: Locator) => part.evaluate(({ textContent }) => textContent)
const colourOf = (part: Locator) => part.evaluate((element) => getComputedStyle(element).backgroundColor)
