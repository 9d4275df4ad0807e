import { expect, test } from 'vitest'
import { button, onlineRoomOf, queue, says, tile } from './online-console.ts'
import { nameOf } from './online-room.ts'

const PEOPLE = 12
const { room, console, holds } = onlineRoomOf(PEOPLE)

test('one person: every act on a tile reaches the phone and shows', { timeout: 60_000 }, async () => {
  const { page, context, complaints } = await console()
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await says(page, 'Currently Online')
  expect(await page.locator('dt:has-text("Currently Online") + dd').textContent()).toBe(String(PEOPLE))

  // Who speaks is red, in Active Users, and can be silenced there.
  await room().phone(0).speak()
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
  await room().act(0, 'mute')
  await tile(page, 0, 'muted').waitFor()
  await page.route('**/unmute', async (route) => {
    await room().act(0, 'unmute')
    await route.continue()
  })
  await button(page, `Unmute ${nameOf(0)}`).click()
  await says(page, `${nameOf(0)} has changed: no longer muted`)
  await page.unroute('**/unmute')
  complaints.splice(0) // the browser notes the refusal

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
  expect(room().phone(2).state.ended).toBeNull()
  await choose(2, 'Stop')
  await button(page, 'Stop user').click()
  await says(page, `${nameOf(2)} stopped`)
  await holds(2, { ended: 'deactivated' })
  await room().act(2, 'activate')
})

test('those who ask stand in a queue, are called by button or key, and are announced', {
  timeout: 60_000,
}, async () => {
  const { page } = await console()
  await button(page, 'Mute All').click()
  await holds(PEOPLE - 1, { is_muted: true })
  for (const index of [5, 3, 7, 1]) await room().phone(index).raiseHand()
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
  expect(room().phone(3).state.is_muted).toBe(true)
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
  expect(room().phone(1).state).toMatchObject({ is_muted: true, wants_to_speak: true })
  await page.keyboard.press('n')
  await holds(1, { is_muted: false, wants_to_speak: false })
  await holds(7, { is_muted: true })
  await says(page, 'Nobody is asking to speak')
  await page.keyboard.press('m')
  await holds(1, { is_muted: true })
  await room().act(2, 'unmute')
  await holds(2, { is_muted: false })
  await page.keyboard.press('Shift+M')
  await holds(2, { is_muted: true })
  await button(page, 'Turn keys off').click()
  await room().phone(4).raiseHand()
  await queue(page).first().waitFor()
  await page.keyboard.press('n')
  await button(page, 'Turn keys on').click()
  expect(await queue(page).count()).toBe(1)
})

test('all people: asked first where it matters, delivery told, undone, and failures said', {
  timeout: 60_000,
}, async () => {
  const { page, complaints } = await console()
  await room().act(0, 'mute')
  await tile(page, 0, 'muted').waitFor()

  // One phone is without network, and another leaves: both are counted.
  room().phone(1).drop()
  await button(page, 'Mute All').click()
  await says(page, `Muted ${PEOPLE - 1} of ${PEOPLE}, waiting for 1 phone`)
  await room().act(1, 'logout')
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
  await room().gather(PEOPLE)
  await tile(page, 1).waitFor()
  await button(page, 'Mute All').click()
  await says(page, `All ${PEOPLE} phones acknowledged`)
  await button(page, 'Unmute All').click()
  const question = page.getByRole('dialog', { name: `Unmute ${PEOPLE} people?` })
  await question.getByRole('button', { name: 'Cancel' }).click()
  await question.waitFor({ state: 'detached' })
  expect(room().phone(3).state.is_muted).toBe(true)
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
  complaints.splice(0) // the browser notes the call that was broken off
})

test('REL-30 what fails is said, in the server’s words where it has any', { timeout: 60_000 }, async () => {
  const { page, complaints } = await console()
  await room().phone(1).raiseHand()
  await queue(page).first().waitFor()
  const isAct = (url: URL) => url.pathname.startsWith('/api/host/')
  await page.route(isAct, (route) => (route.request().method() === 'POST' ? route.abort() : route.continue()))
  const failsWith = async (text: string) => {
    await says(page, text)
    await button(page, 'Dismiss').click()
  }
  for (const [item, text] of [
    ['Mute', 'Failed to mute user'],
    ['Copy credentials', 'Failed to copy credentials'],
    ['Log out', 'Failed to logout user'],
  ] as const) {
    await button(page, `Actions for ${nameOf(0)}`).press('Enter')
    await page.getByRole('menuitem', { name: item, exact: true }).click()
    await failsWith(text)
  }
  await button(page, `Lower the hand of ${nameOf(1)}`).press('Enter')
  await failsWith('Failed to lower the hand')
  for (const [name, text] of [
    ['Unmute All', 'Failed to unmute users'],
    ['Logout All', 'Failed to logout users'],
  ] as const) {
    await button(page, name).click()
    await page.getByRole('dialog').getByRole('button', { name }).click()
    await failsWith(text)
  }
  await button(page, 'Refresh').click()
  await failsWith('Failed to refresh data')
  const inItsWords = { status: 503, json: { success: false, code: 'busy', message: 'Too busy just now.' } }
  await page.route('**/trigger-bulk-mute/mute', (route) => route.fulfill(inItsWords))
  await button(page, 'Mute All').click()
  await failsWith('Too busy just now.')
  expect((await room().online()).filter((user) => user.is_muted || !user.wants_to_speak)).toHaveLength(PEOPLE - 1)

  await page.getByLabel('Filter participants').fill('nobody of this name')
  await says(page, 'No users found')
  await page.route('**/api/host/dashboard', (route) => route.abort())
  await page.getByRole('link', { name: 'Dashboard' }).click()
  await says(page, 'Loading dashboard data...')
  await page.getByRole('heading', { name: 'Error Loading Dashboard' }).waitFor()
  await says(page, 'Failed to load dashboard data. Please try refreshing the page.')
  await page.unroute('**/api/host/dashboard')
  await button(page, 'Try again').click()
  await says(page, 'Total Users')
  complaints.splice(0) // the browser notes each of these calls
})
