import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { nameOf, type OnlineRoom, startOnlineRoom } from './online-room.ts'

const PEOPLE = 12

let room: OnlineRoom
let open: Awaited<ReturnType<OnlineRoom['open']>>[] = []
beforeAll(async () => {
  room = await startOnlineRoom()
}, 120_000)
afterAll(() => room.close())
beforeEach(() => room.gather(PEOPLE), 60_000)
afterEach(async () => {
  const seen = open.flatMap(({ complaints }) => complaints)
  for (const { context } of open) await context.close()
  open = []
  expect(seen).toEqual([])
})

async function console(options: Parameters<OnlineRoom['open']>[0] = {}) {
  const opened = await room.open(options)
  open.push(opened)
  return opened
}

const tile = (page: Page, index: number, state = '') =>
  page.locator(`[data-user-id][data-state${state && `="${state}"`}]`).filter({ hasText: nameOf(index) })
const queue = (page: Page) => page.locator('[data-queued-id]')
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const says = (page: Page, text: string | RegExp) => page.getByText(text).first().waitFor()
const holds = (index: number, state: object) =>
  vi.waitFor(() => expect(room.phone(index).state).toMatchObject(state), { timeout: 5_000, interval: 20 })

test('one person: every act on a tile reaches the phone and shows', { timeout: 60_000 }, async () => {
  const { page, context } = await console()
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await says(page, 'Currently Online')
  expect(await page.locator('dt:has-text("Currently Online") + dd').textContent()).toBe(String(PEOPLE))

  // Who speaks is red, in Active Users, and can be silenced there.
  await room.phone(0).speak()
  await tile(page, 0, 'speaking').waitFor()
  expect(await tile(page, 0).getAttribute('data-colour')).toBe('red')
  await button(page, `Mute ${nameOf(0)}`).press('Enter')
  await tile(page, 0, 'muted').waitFor()
  await holds(0, { is_muted: true, is_speaking: false })
  await says(page, 'Nobody is speaking')

  // A click on a muted tile opens it, and says so when somebody else was quicker.
  await button(page, `Unmute ${nameOf(0)}`).click()
  await tile(page, 0, 'listening').waitFor()
  await holds(0, { is_muted: false })
  await room.act(0, 'mute')
  await tile(page, 0, 'muted').waitFor()
  await page.route('**/unmute', async (route) => {
    await room.act(0, 'unmute')
    await route.continue()
  })
  await button(page, `Unmute ${nameOf(0)}`).click()
  await says(page, `${nameOf(0)} has changed: no longer muted`)
  await page.unroute('**/unmute')
  open[0]?.complaints.splice(0) // the browser notes the refusal

  // The menu.
  const choose = async (index: number, item: string) => {
    await button(page, `Actions for ${nameOf(index)}`).press('Enter') // a click is ignored where a tile has just moved
    await page.getByRole('menuitem', { name: item, exact: true }).click()
  }
  await choose(1, 'Mute')
  await holds(1, { is_muted: true })
  await tile(page, 1, 'muted').waitFor()
  await choose(1, 'Unmute')
  await holds(1, { is_muted: false })
  await tile(page, 1, 'listening').waitFor()
  await choose(1, 'Copy credentials')
  await says(page, 'Credentials copied to clipboard')
  expect(await page.evaluate(() => navigator.clipboard.readText())).toContain(nameOf(1))
  await choose(1, 'Details')
  const details = page.getByRole('dialog', { name: nameOf(1) })
  await details.getByText('U000002').waitFor()
  await page.keyboard.press('Escape')
  await details.waitFor({ state: 'detached' })
  await choose(1, 'Log out')
  await says(page, `${nameOf(1)} logged out`)
  await tile(page, 1).waitFor({ state: 'detached' })
  await holds(1, { ended: 'logout' })

  await choose(2, 'Stop')
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
  expect(room.phone(2).state.ended).toBeNull()
  await choose(2, 'Stop')
  await button(page, 'Stop user').click()
  await says(page, `${nameOf(2)} stopped`)
  await holds(2, { ended: 'deactivated' })
  await room.act(2, 'activate')
})

test('those who ask stand in a queue, are called by button or key, and are announced', {
  timeout: 60_000,
}, async () => {
  const { page } = await console()
  await button(page, 'Mute All').click()
  await holds(PEOPLE - 1, { is_muted: true })
  for (const index of [5, 3, 7, 1]) await room.phone(index).raiseHand()
  await queue(page).nth(3).waitFor()
  const order = async () => (await queue(page).allTextContents()).map((text) => /^\d+/.exec(text)?.[0])
  expect(await order()).toEqual(['1', '2', '3', '4'])
  await expect.poll(() => queue(page).first().textContent()).toMatch(new RegExp(`^1${nameOf(5)}waits \\d:\\d\\d`))
  await says(page, /want to speak\./)

  // Allow opens one, Lower says no, Next takes the floor from the one and gives it to the next.
  await button(page, `Allow ${nameOf(5)}`).click()
  await holds(5, { is_muted: false, wants_to_speak: false })
  await expect.poll(() => queue(page).count()).toBe(3)
  await button(page, `Lower the hand of ${nameOf(3)}`).press('Enter')
  await holds(3, { wants_to_speak: false })
  expect(room.phone(3).state.is_muted).toBe(true)
  await expect.poll(() => queue(page).count()).toBe(2)
  await button(page, 'Next').click()
  await holds(7, { is_muted: false, wants_to_speak: false })
  await holds(5, { is_muted: true })

  // Keys, but not while typing.
  const filter = page.getByLabel('Filter participants')
  await filter.fill('')
  await filter.pressSequentially('nmM')
  expect(await filter.inputValue()).toBe('nmM')
  await filter.fill('')
  await page.getByRole('heading', { level: 1 }).click()
  expect(room.phone(1).state).toMatchObject({ is_muted: true, wants_to_speak: true })
  await page.keyboard.press('n')
  await holds(1, { is_muted: false, wants_to_speak: false })
  await holds(7, { is_muted: true })
  await says(page, 'Nobody is asking to speak')
  await page.keyboard.press('m')
  await holds(1, { is_muted: true })
  await room.act(2, 'unmute')
  await holds(2, { is_muted: false })
  await page.keyboard.press('Shift+M')
  await holds(2, { is_muted: true })
  await button(page, 'Turn keys off').click()
  await room.phone(4).raiseHand()
  await queue(page).first().waitFor()
  await page.keyboard.press('n')
  await button(page, 'Turn keys on').click()
  expect(await queue(page).count()).toBe(1)
})

test('all people: asked first where it matters, delivery told, undone, and failures said', {
  timeout: 60_000,
}, async () => {
  const { page } = await console()
  await room.act(0, 'mute')
  await tile(page, 0, 'muted').waitFor()

  // One phone is without network, and another leaves: both are counted.
  room.phone(1).drop()
  await button(page, 'Mute All').click()
  await says(page, `Muted ${PEOPLE - 1} of ${PEOPLE}, waiting for 1 phone`)
  await room.act(1, 'logout')
  await says(page, `Muted ${PEOPLE - 1} of ${PEOPLE}, 1 not reached`)
  await says(page, 'Mute All is on')

  // Undo brings back what was, the single mute too.
  await page.getByRole('button', { name: /^Undo/ }).click()
  await holds(2, { is_muted: false })
  await tile(page, 2, 'listening').waitFor()
  await holds(0, { is_muted: true })
  await tile(page, 0, 'muted').waitFor()

  // A call that fails takes the flag back, in the server's words or the fixed ones.
  await page.route('**/trigger-bulk-mute/mute', (route) => route.abort())
  await button(page, 'Mute All').click()
  await says(page, 'Failed to mute users')
  await page.getByText('Mute All is on').waitFor({ state: 'detached' })
  await page.unroute('**/trigger-bulk-mute/mute')

  // More than ten: what opens or empties the room is asked first.
  await room.gather(PEOPLE)
  await tile(page, 1).waitFor()
  await button(page, 'Mute All').click()
  await says(page, `All ${PEOPLE} phones acknowledged`)
  await button(page, 'Unmute All').click()
  const question = page.getByRole('dialog', { name: `Unmute ${PEOPLE} people?` })
  await question.getByRole('button', { name: 'Cancel' }).click()
  await question.waitFor({ state: 'detached' })
  expect(room.phone(3).state.is_muted).toBe(true)
  await button(page, 'Unmute All').click()
  await question.getByRole('button', { name: 'Unmute All' }).click()
  await holds(3, { is_muted: false })

  await button(page, 'Logout All').click()
  await page
    .getByRole('dialog', { name: `Log out ${PEOPLE} people?` })
    .getByRole('button', { name: 'Logout All' })
    .click()
  await says(page, `${PEOPLE} users logged out`)
  await says(page, 'No users are currently online')
  for (let index = 0; index < PEOPLE; index++) await holds(index, { ended: 'logout' })
  for (const name of ['Mute All', 'Unmute All', 'Logout All']) await button(page, name).click()
  await says(page, 'No users to perform action on')
  await button(page, 'Refresh').click()
  open[0]?.complaints.splice(0) // the browser notes the call that was broken off
})

test('two consoles of one room show the same, and a cut network is told and mended', { timeout: 60_000 }, async () => {
  const { page: one } = await console()
  const { page: other, context, complaints } = await console()
  await button(one, 'Mute All').click()
  await says(other, 'Mute All is on')
  await tile(other, 4, 'muted').waitFor()
  await button(other, `Unmute ${nameOf(4)}`).click()
  await tile(one, 4, 'listening').waitFor()
  await holds(4, { is_muted: false })

  await context.setOffline(true)
  await other.getByRole('alert').getByText('No answer from the server.').waitFor({ timeout: 10_000 })
  await says(other, 'Not live')
  expect(await button(other, 'Mute All').isDisabled()).toBe(true)
  expect(await button(other, `Unmute ${nameOf(5)}`).isDisabled()).toBe(true)
  await button(one, `Unmute ${nameOf(5)}`).click()
  await tile(one, 5, 'listening').waitFor()
  await context.setOffline(false)
  await other.getByText('Live', { exact: true }).waitFor({ timeout: 20_000 })
  await tile(other, 5, 'listening').waitFor()
  expect(await button(other, 'Mute All').isEnabled()).toBe(true)
  complaints.splice(0) // the browser notes each call that could not go out
})

test('seven tabs of one host all work, with one stream between them', { timeout: 60_000 }, async () => {
  const { page, context } = await console()
  const streams: string[] = []
  context.on('request', (request) => request.url().includes('/mobile/events/') && streams.push(request.url()))
  const others = await Promise.all(Array.from({ length: 6 }, () => context.newPage()))
  await Promise.all(others.map((tab) => tab.goto(page.url())))
  const pages = [page, ...others]
  await Promise.all(pages.map((tab) => tab.getByText('Live', { exact: true }).waitFor()))
  await room.phone(6).raiseHand()
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
  await vi.waitFor(() => expect(streams).toHaveLength(1))
  await room.phone(8).raiseHand()
  await Promise.all(pages.slice(1).map((tab) => tile(tab, 8, 'wants-to-speak').waitFor()))
})

test('Zoom: who is in the meeting, and what is recorded', { timeout: 60_000 }, async () => {
  const { page } = await console()
  await says(page, 'Meeting not running')
  expect(await tile(page, 0).locator('[data-presence=app]').count()).toBe(1)
  await button(page, 'Record').click()
  await says(page, 'The meeting is not running. Start it first.')
  open[0]?.complaints.splice(0) // the browser notes the refusal

  await room.meeting('start')
  await room.meeting('participants/join', { customer_key: room.phone(0).user.id, user_name: nameOf(0) })
  await tile(page, 0).locator('[data-presence=meeting]').waitFor()
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
  await room.meeting('end')
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
  await room.phone(0).speak()
  await room.phone(1).raiseHand()
  await room.act(2, 'mute')
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
