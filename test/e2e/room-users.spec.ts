import { readFile } from 'node:fs/promises'
import type { Page, Route } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { RoomUsersAnswer } from '../../shared/room-users.ts'
import type { Phone } from '../../simulator/participant.ts'
import { signIn } from '../../simulator/sign-in.ts'
import { aRoomUser } from '../../web/room-users/a-room-user.ts'
import { http } from '../server-process.ts'
import { watchedPage } from './browser.ts'
import { type Sites, signInAsHost, startSites } from './sites.ts'

let sites: Sites
let page: Page
let complaints: string[]
let token: string
const phones: Phone[] = []

beforeAll(async () => {
  sites = await startSites()
  token = await sites.tokenOf('host')
  const context = await sites.browser.newContext({ viewport: { width: 1440, height: 900 }, acceptDownloads: true })
  await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: sites.server.host_url })
  context.setDefaultTimeout(20_000)
  ;({ page, complaints } = await watchedPage(context))
  await page.goto(`${sites.server.host_url}/login`)
  await signInAsHost(page)
  await page.waitForURL('**/host/dashboard')
  await page.getByRole('link', { name: 'Users Master' }).click()
}, 60_000)
afterAll(async () => {
  for (const phone of phones) await phone.close()
  await sites.close()
})

const row = (username: string) => page.getByRole('row', { name: new RegExp(`Select ${username} `) })
/** The word of the status column; the card that a row becomes on a phone has one of its own. */
const state = (username: string, word: string) => row(username).getByText(word, { exact: true }).last()
const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true })
/** A toast says this, and makes room for the next. */
async function says(text: string) {
  const card = page.getByRole('region', { name: 'Messages' }).locator('> div').filter({ hasText: text })
  await card.getByText(text, { exact: true }).waitFor()
  await card.getByRole('button', { name: 'Dismiss' }).click()
}
const bulk = (name: string) =>
  page.getByRole('region', { name: 'Bulk actions' }).getByRole('button', { name, exact: true })
const users = async () =>
  RoomUsersAnswer.parse((await http(sites.server, 'GET', '/host/users', { token })).body).data.users
const userNamed = async (username: string) => {
  const user = (await users()).find((one) => one.username === username)
  if (!user) throw new Error(`There is no ${username}`)
  return user
}

async function fromMenu(username: string, item: string) {
  await button(`More actions for ${username}`).click()
  await page.getByRole('menuitem', { name: item, exact: true }).click()
}

/** What opened a dialog has the focus again once that is closed. */
const hasFocus = (name: string) =>
  expect.poll(() => button(name).evaluate((one) => one === document.activeElement)).toBe(true)

/** The next call to this address fails as a server that is in trouble would. */
async function failing(address: string, act: () => Promise<void>, answer = { status: 500, body: '{}' }) {
  const fail = (route: Route) => route.fulfill({ ...answer, contentType: 'application/json' })
  await page.route(address, fail)
  await act()
  await page.unroute(address, fail)
}

test('an empty room offers to add people, one by one', async () => {
  await page.getByText('No users found').waitFor()

  await button('Add User').first().click()
  const form = page.getByRole('dialog', { name: 'Add User' })
  expect(await form.getByLabel('User ID').inputValue()).toBe('U000001')
  await form.getByRole('button', { name: 'Add User' }).click()
  await form.getByText('Username is required').waitFor()
  await form.getByText('Password is required').waitFor()
  await form.getByLabel('Username').fill('amina')
  await form.getByRole('button', { name: 'Generate' }).click()
  expect(await form.getByLabel(/^Password/).inputValue()).toMatch(/^\w{10}$/)
  await failing('**/api/host/users', async () => {
    await form.getByRole('button', { name: 'Add User' }).click()
    await says('Failed to create user')
  })
  await form.getByRole('button', { name: 'Add User' }).click()
  await says('User created successfully')
  await row('amina').waitFor()

  await button('Add User').click()
  await form.getByLabel('Username').fill('AMINA')
  await form.getByLabel(/^Password/).fill('x')
  await form.getByRole('button', { name: 'Add User' }).click()
  await form.getByText('This username is already in use').waitFor()
  await form.getByRole('button', { name: 'Cancel' }).click()
})

test('a list is looked through before it is added, and the logins can be kept', async () => {
  await button('Import').click()
  const dialog = page.getByRole('dialog', { name: 'Import users' })
  await dialog.getByLabel('People').fill('username,password\n')
  await dialog.getByRole('button', { name: 'Check the list' }).click()
  await dialog.getByText(/There is nobody in this list/).waitFor()

  const list = 'Name;Reference\nbela;=1+1\nAmina;Row 3\nchika;\n;Nobody\ndora;Row 4\n'
  await dialog
    .locator('input[type=file]')
    .setInputFiles({ name: 'list.csv', mimeType: 'text/csv', buffer: Buffer.from(list) })
  await dialog.getByRole('button', { name: 'Check the list' }).click()
  await dialog.getByText('2 rows').waitFor()
  expect(await dialog.getByRole('row').allTextContents()).toEqual([
    expect.stringContaining('Username'),
    expect.stringContaining('The username is in use in your room'),
    expect.stringContaining('Username is required'),
    expect.stringMatching(/^2belaWill be addedU000002made up=1\+1/),
    expect.stringMatching(/^4chika/),
    expect.stringMatching(/^6dora/),
  ])
  expect((await users()).map(({ username }) => username)).toEqual(['amina'])

  // Somebody else takes a name between the look and the adding.
  await http(sites.server, 'POST', '/host/users', { token, body: { username: 'Chika', user_id: 'X-1', password: 'x' } })
  await dialog.getByRole('button', { name: 'Add 3 users' }).click()
  await dialog.getByText('2 users were added.').waitFor()
  await dialog.getByText('Line 4, chika: This username is already in use').waitFor()

  const download = dialog.getByRole('button', { name: 'Download logins' })
  await failing('**/api/host/profile', async () => {
    await download.click()
    await says('The logins could not be downloaded. Please try again.')
  })
  const [file] = await Promise.all([page.waitForEvent('download'), download.click()])
  const lines = (await readFile(await file.path(), 'utf8')).split('\r\n')
  expect(lines[0]).toBe('\uFEFFhost_id,username,user_id,password,reference')
  expect(lines[1]).toMatch(/^H000001,bela,U000002,\w{10},'=1\+1$/)
  const password = lines[1]?.split(',')[3] ?? ''
  const at = `http://127.0.0.1:${sites.server.port}`
  phones.push(await signIn({ baseUrl: at, hostId: 'H000001', username: 'bela', password }))
  await phones[0]?.openStream()
  await dialog.getByRole('button', { name: 'Done' }).click()
  await state('bela', 'Online').waitFor()

  await button('Import').click()
  await dialog.getByLabel('People').fill('emeka')
  await dialog.getByRole('button', { name: 'Check the list' }).click()
  await failing('**/api/host/users/import', async () => {
    await dialog.getByRole('button', { name: 'Add 1 user' }).click()
    await dialog.getByText('Line 1, emeka: Not added: the server did not answer. Please try again.').waitFor()
  })
  await dialog.getByRole('button', { name: 'Done' }).click()
})

test('the numbers and the filter show whom they count, and what is shown can be exported', async () => {
  await button(/^Online 1$/).click()
  await page.getByText('1 of 4').waitFor()
  await row('bela').waitFor()
  expect(await page.getByRole('row').count()).toBe(2)
  await page.getByLabel('Filter users').fill('amina')
  await page.getByText('Nobody who is online has “amina” in username, user ID or reference.').waitFor()
  await button(/^Total 4$/).click()
  for (const words of ['AMINA', 'u000001']) {
    await page.getByLabel('Filter users').fill(words)
    await page.getByText('1 of 4').waitFor()
    await row('amina').waitFor()
  }
  await page.setViewportSize({ width: 1100, height: 900 }) // cards, with the sidebar beside them
  const card = page.getByRole('main').locator('tr').filter({ hasText: 'amina' })
  await card.getByRole('checkbox', { name: 'Select amina' }).waitFor()
  await card.getByText('Active', { exact: true }).first().waitFor()
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.getByLabel('Filter users').fill('row 4')
  await row('dora').waitFor()
  await row('amina').waitFor({ state: 'detached' })
  const [file] = await Promise.all([page.waitForEvent('download'), button('Export').click()])
  const text = await readFile(await file.path(), 'utf8')
  expect(text.split('\r\n').map((line) => line.split(',').slice(0, 3).join())).toEqual([
    '\uFEFFuser_id,username,reference',
    'U000004,dora,Row 4',
    '',
  ])
  await page.getByLabel('Filter users').fill('')
})

test('credentials are copied as a message to the person, and what fails is said', async () => {
  await button('Copy credentials of amina').click()
  await says('Credentials copied to clipboard')
  const copied = await page.evaluate(() => navigator.clipboard.readText())
  expect(copied).toMatch(
    /^Your login for “ROOM-1”\n[\s\S]*\nHost ID: H000001\nUsername: amina\nPassword: \w{10}\nUser ID: U000001\n/,
  )
  await failing('**/credentials', async () => {
    await button('Copy credentials of amina').click()
    await says('Failed to copy credentials')
  })
})

test('a user is edited, stopped, switched to another phone and logged out, each where it applies', async () => {
  await button('Edit amina').click()
  const form = page.getByRole('dialog', { name: 'Edit User' })
  await form.waitFor()
  await page.keyboard.press('Escape')
  await hasFocus('Edit amina')
  await button('Edit amina').click()
  await form.getByLabel('Reference').fill('Alto')
  await failing('**/api/host/users/*', async () => {
    await form.getByRole('button', { name: 'Save changes' }).click()
    await says('Failed to update user')
  })
  await page.context().setOffline(true) // it is said now, and not done when the network is back
  await form.getByRole('button', { name: 'Save changes' }).click()
  await says('Failed to update user')
  await page.context().setOffline(false)
  await form.getByRole('button', { name: 'Save changes' }).click()
  await says('User updated successfully')
  await row('amina').getByText('Alto').waitFor()

  await button('More actions for amina').click()
  expect(await page.getByRole('menuitem').allTextContents()).toEqual(['Deactivate', 'Mute', 'Delete'])
  await page.keyboard.press('Escape')
  await failing('**/deactivate', async () => {
    await fromMenu('amina', 'Deactivate')
    await says('Failed to deactivate user')
  })
  await fromMenu('amina', 'Deactivate')
  await state('amina', 'S · Stopped').waitFor()
  await button(/^Inactive 1$/).waitFor()
  await fromMenu('amina', 'Activate')
  await state('amina', 'Active').waitFor()

  await failing('**/switch', async () => {
    await fromMenu('bela', 'Switch phone')
    await page.getByText(/A user may log in from one phone only\./).waitFor()
    await page.keyboard.press('Escape')
    await hasFocus('More actions for bela') // which opened the menu that asked
    await fromMenu('bela', 'Switch phone')
    await page.getByRole('dialog').getByRole('button', { name: 'Switch phone' }).click()
    await says('Failed to clear device binding')
  })
  await fromMenu('bela', 'Switch phone')
  await page.getByRole('dialog').getByRole('button', { name: 'Switch phone' }).click()
  await says('Device binding cleared. User can now login from a new phone.')
  await state('bela', 'C · Phone changed').waitFor()
})

test('many are acted on at once: those whom it concerns, and with a report', async () => {
  await bulk('Deactivate').click()
  await says('Please select users first')

  for (const name of ['amina', 'Chika', 'dora']) await page.getByRole('checkbox', { name: `Select ${name}` }).check()
  await page.getByText('3 selected').waitFor()
  expect(await bulk('Log out').isDisabled()).toBe(true) // none of them is online
  await failing('**/bulk/mute', async () => {
    await bulk('Mute').click()
    await says('Failed to mute users')
  })
  await bulk('Mute').click()
  await says('3 users muted')
  await bulk('Unmute').click()
  await says('3 users unmuted')

  // One of the three is deleted elsewhere while the call is on its way.
  const { id } = await userNamed('dora')
  await page.route('**/bulk/deactivate', async (route) => {
    await http(sites.server, 'POST', `/host/users/${id}/delete`, { token })
    await route.continue()
  })
  await bulk('Deactivate').click()
  await says('2 users deactivated, 1 failed: User not found')
  await button(/^Inactive 2$/).waitFor()
  await page.getByText('2 selected').waitFor()

  await bulk('Delete').click()
  await page.getByText('They are deleted for good, and signed out of their phones at once.').waitFor()
  await button('Cancel').click()
  await bulk('Delete').click()
  await button('Delete users').click()
  await says('2 users deleted')
  expect((await users()).map(({ username }) => username)).toEqual(['bela'])
})

describe('with 5,000 users', () => {
  test('only the rows on screen are drawn, and the filter finds the last', { timeout: 60_000 }, async () => {
    const many = Array.from({ length: 5000 }, (_, index) => aRoomUser(`p${index}`, { username: `person ${index}` }))
    let polls = 0
    await page.route('**/api/host/users', async (route) => {
      const changed = many[polls++ % 5000]
      if (changed) changed.is_speaking = !changed.is_speaking // each poll brings something new
      const body = JSON.stringify({ success: true, data: { users: many, next_user_id: 'U005001' } })
      await route.fulfill({ body, contentType: 'application/json' })
    })
    await button(/^Total 5000$/).waitFor()
    expect(await page.getByRole('row').count()).toBeLessThan(60)
    expect(await page.getByRole('table', { name: 'Users' }).getAttribute('aria-rowcount')).toBe('5001')

    await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight))
    await row('person 4999').waitFor()
    expect(await page.getByRole('row').count()).toBeLessThan(60)
    const before = polls
    await page.getByLabel('Filter users').fill('person 4321')
    await row('person 4321').waitFor()
    await expect.poll(() => polls).toBeGreaterThan(before) // and the polls go on
    await page.unroute('**/api/host/users')
  })
})

test('a list that cannot be fetched says so, and is tried again', async () => {
  await failing('**/api/host/users', async () => {
    await page.reload()
    const words = await page.waitForSelector('text=Failed to load users')
    for (const _ of ['a poll', 'and another']) await page.waitForResponse('**/api/host/users')
    expect(await words.evaluate((one) => one.isConnected)).toBe(true) // nor does it come and go with the polls
  })
  await row('bela').waitFor()
  expect(complaints.filter((one) => !/status of (409|500)|ERR_INTERNET_DISCONNECTED/.test(one))).toEqual([])
})
