import { readFile } from 'node:fs/promises'
import type { Page, Route } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Phone } from '../../simulator/participant.ts'
import { signIn } from '../../simulator/sign-in.ts'
import { aPng } from '../logo.ts'
import { http } from '../server-process.ts'
import { realAnswer, watchedPage } from './browser.ts'
import { type Sites, signInAsHost, startSites } from './sites.ts'

let sites: Sites
let page: Page
let complaints: string[]
let token: string
const phones: Phone[] = []

beforeAll(async () => {
  sites = await startSites({ FEATURES: 'downloads,logo-upload' })
  token = await sites.tokenOf('host')
  const people = ['amina', 'bela', 'chika'].map((username, index) => ({
    ...{ username, user_id: `U00000${index + 1}`, password: `${username}-password`, reference: `=ref ${index}` },
  }))
  await http(sites.server, 'POST', '/host/users/import', { token, body: { users: people } })
  const baseUrl = `http://127.0.0.1:${sites.server.port}`
  for (const { username, password } of people.slice(0, 2)) {
    const phone = await signIn({ baseUrl, hostId: 'H000001', username, password })
    await phone.openStream()
    phones.push(phone)
  }
  await phones[1]?.logout()
  const context = await sites.browser.newContext({ viewport: { width: 1440, height: 900 }, acceptDownloads: true })
  context.setDefaultTimeout(20_000)
  ;({ page, complaints } = await watchedPage(context))
  await page.goto(`${sites.server.host_url}/login`)
  await signInAsHost(page)
  await page.waitForURL('**/host/dashboard')
}, 60_000)
afterAll(async () => {
  for (const phone of phones) await phone.close()
  await sites.close()
})

const open = (path: string) => page.goto(`${sites.server.host_url}/host/${path}`)
const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true })

/** A toast says this, and makes room for the next. */
async function says(text: string) {
  const card = page.getByRole('region', { name: 'Messages' }).locator('> div').filter({ hasText: text })
  await card.getByText(text, { exact: true }).waitFor()
  await card.getByRole('button', { name: 'Dismiss' }).click()
}

async function downloaded(press: RegExp): Promise<{ name: string; lines: string[] }> {
  const [file] = await Promise.all([page.waitForEvent('download'), button(press).click()])
  const text = await readFile(await file.path(), 'utf8')
  return { name: file.suggestedFilename(), lines: text.replace('\uFEFF', '').trimEnd().split('\r\n') }
}

async function failing(address: string, act: () => Promise<void>, body = '{}') {
  const fail = (route: Route) => route.fulfill({ status: 500, contentType: 'application/json', body })
  await page.route(address, fail)
  await act()
  await page.unroute(address, fail)
}

test('Attendance shows who came, who did not and each visit, for the days that are asked for', async () => {
  await page.getByRole('link', { name: 'See who attended' }).click()
  await button(/^Came 2$/).waitFor()
  await page.getByRole('row', { name: /amina.*Still here/ }).waitFor()
  expect(await page.getByRole('row', { name: /bela/ }).textContent()).not.toContain('Still here')
  const today = new Date().toISOString().slice(0, 10)
  const file = await downloaded(/^Download CSV$/)
  expect(file.name).toBe(`attendance-${today}.csv`)
  expect(file.lines[0]).toBe('user_id,username,reference,first_joined,last_left,total_seconds,visits')
  expect(file.lines[1]).toMatch(/^U000001,amina,'=ref 0,2/)
  expect(file.lines[3]).toBe("U000003,chika,'=ref 2,,,0,0")

  await button(/^Did not come 1$/).click()
  await page.getByRole('row', { name: /chika/ }).waitFor()
  await button(/^Visits 2$/).click()
  await page.getByRole('table', { name: 'Visits' }).getByRole('row', { name: /bela/ }).waitFor()
  expect((await downloaded(/^Download CSV$/)).name).toBe(`stays-${today}.csv`)
  await page.getByLabel('Filter attendance').fill('nobody')
  await page.getByText('There is nobody here with “nobody”.').waitFor()
  await page.getByLabel('Filter attendance').fill('')

  await button('Yesterday').click()
  await page.getByText('Nobody came in these days').waitFor()
  await page.getByLabel('First day').fill('2999-01-01')
  await page.getByRole('alert').getByText('The last day must not be before the first').waitFor()
  expect(await button('Download CSV').isDisabled()).toBe(true)
  await failing('**/host/attendance?*format=csv*', async () => {
    await button('Last 7 days').click()
    await button(/^Visits 2$/).waitFor()
    await button('Download CSV').click()
    await says('The file could not be fetched. Please try again.')
  })
  await failing('**/api/host/attendance?*', async () => {
    await page.reload()
    await page.getByText('Failed to load attendance').waitFor()
  })
  await button('Try again').click()
  await button(/^Came 2$/).waitFor()
})

test('Downloads gives users, attendance, visits and audit as files', async () => {
  await open('downloads')
  const users = await downloaded(/^Download Users CSV$/)
  expect(users.lines.map((line) => line.split(',').slice(0, 3).join())).toEqual([
    'user_id,username,reference',
    "U000001,amina,'=ref 0",
    "U000002,bela,'=ref 1",
    "U000003,chika,'=ref 2",
  ])
  expect((await downloaded(/^Download Attendance CSV$/)).lines).toHaveLength(4)
  expect((await downloaded(/^Download Visits CSV$/)).lines).toHaveLength(3)
  const audit = await downloaded(/^Download Audit CSV$/)
  expect(audit.lines.filter((line) => line.includes(',user_created,'))).toHaveLength(3)
  await button('Yesterday').click()
  expect((await downloaded(/^Download Audit CSV$/)).lines).toHaveLength(1)
  await failing('**/api/host/users', async () => {
    await button('Download Users CSV').click()
    await says('The file could not be fetched. Please try again.')
  })
})

test('App Info counts what is written, shows it on a phone, and saves it', async () => {
  await open('app-info')
  const phone = page.getByTestId('phone-preview')
  await page.getByLabel('User title').fill('Singer')
  await page.getByText('The heading of the phone app. 6 of 60 characters').waitFor()
  await page.getByLabel('Helpline').fill('+91 98765 43210')
  await page.getByRole('textbox', { name: 'Message' }).fill('x'.repeat(500))
  await page.getByText('500 of 500 characters').waitFor()
  await page.getByRole('textbox', { name: 'Message' }).fill('Rehearsal at six.')
  for (const words of ['Singer', 'Helpline +91 98765 43210', 'Rehearsal at six.'])
    await phone.getByText(words, { exact: true }).waitFor()
  await page.getByLabel('Logo address').fill('javascript:alert(1)')
  await button('Save changes').click()
  await page.getByText('The logo must be an https address or one of this site').waitFor()
  await page.getByLabel('Logo address').fill('')
  await failing(
    '**/host/app-info',
    async () => {
      await button('Save changes').click()
      await says('Failed to update app information: The disk is full')
    },
    '{"success":false,"message":"The disk is full"}',
  )
  await button('Save changes').click()
  await says('App information updated successfully')
  expect((await http(sites.server, 'GET', '/host/app-info', { token })).body.appInfo).toMatchObject({
    user_title: 'Singer',
    message: 'Rehearsal at six.',
  })
})

test('a logo is uploaded and shown, and another kind of file refused', async () => {
  await button('Upload').click()
  await page.getByText('Please select a logo file').waitFor()
  const file = page.locator('input[type=file]')
  const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')
  await file.setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer: svg })
  await button('Upload').click()
  await page.getByText('The logo must be a PNG, JPEG or WebP picture').waitFor()
  await file.setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer: Buffer.alloc(1_000_001) })
  await button('Upload').click()
  await page.getByText('The logo may have at most 1 MB').waitFor()

  // What a browser writes is read: a picture of each kind.
  for (const [type, extension] of [
    ['image/jpeg', 'jpg'],
    ['image/webp', 'webp'],
  ] as const) {
    const drawn = await page.evaluate((kind) => {
      const canvas = document.createElement('canvas')
      canvas.width = 64
      return canvas.toDataURL(kind).split(',')[1] ?? ''
    }, type)
    await file.setInputFiles({ name: `logo.${extension}`, mimeType: type, buffer: Buffer.from(drawn, 'base64') })
    await button('Upload').click()
    await says('Logo uploaded')
    await page.waitForFunction(
      (end) => document.querySelector<HTMLImageElement>(`img[src$=".${end}"]`)?.naturalWidth === 64,
      extension,
    )
  }
  await file.setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer: aPng({ width: 32 }) })
  await button('Upload').click()
  await says('Logo uploaded')
  await page.waitForFunction(() => document.querySelector<HTMLImageElement>('img[src$=".png"]')?.naturalWidth === 32)
})

test('without the features, Downloads and the logo file are coming soon', async () => {
  await page.route('**/host/{downloads,app-info}', async (route) => {
    if (route.request().resourceType() !== 'document') return route.fallback()
    const real = await realAnswer(route)
    await route.fulfill({ response: real, body: (await real.text()).replace(/"features":\[[^\]]*\]/, '"features":[]') })
  })
  await open('downloads')
  await page.getByText('Downloads are coming soon').waitFor()
  await open('app-info')
  await page.getByText('Coming Soon').waitFor()
  expect(await button('Upload').isDisabled()).toBe(true)
  await page.unroute('**/host/{downloads,app-info}')
})

test('Rooms Master shows the room, and says where it has no Zoom', async () => {
  await open('rooms')
  const row = page.getByRole('table', { name: 'Your room' }).getByRole('row').nth(1)
  expect(await row.textContent()).toMatch(/ROOM-1.*3.*Not connected to Zoom.*None/)
  await page.route('**/host/room', async (route) => {
    const real = await realAnswer(route)
    const { data } = await real.json()
    const room = { ...data.room, zoom_meeting_id: '92483372729', password: '483920' }
    await route.fulfill({ response: real, json: { success: true, data: { room } } })
  })
  await page.reload()
  await row.getByText('924 8337 2729').waitFor()
  expect(await row.textContent()).not.toContain('483920')
  await button('Show password').click()
  await row.getByText('483920').waitFor()
  await page.unroute('**/host/room')
  await failing('**/host/room', async () => {
    await page.reload()
    await page.getByText('Failed to load the room').waitFor()
  })
})

test('Host Master stops the room, activates it and changes the phone, after asking', async () => {
  await open('host-master')
  await button(/^S · Stop room$/).click()
  await page
    .getByText('Every phone in the room is signed out, and none can sign in until you activate the room again.')
    .waitFor()
  await button('Cancel').click()
  const gone = phones[0]?.heard((event) => event.name === 'user-deactivated' && event.data.reason === 'stopped')
  await button(/^S · Stop room$/).click()
  await button('Stop room').click()
  await says('The room is stopped. Phones cannot sign in until it is activated.')
  await gone
  await button(/^A · Activate room$/).click()
  await says('The room is active')
  await button(/^C · Change phone$/).click()
  await page
    .getByText('Your present phone is signed out. The next phone that you sign in from becomes yours.')
    .waitFor()
  await button('Change phone').click()
  await says('Device binding cleared. You can now login from a new phone.')
  await failing('**/host/profile/stop', async () => {
    await button(/^S · Stop room$/).click()
    await button('Stop room').click()
    await says('Failed to stop user')
  })
  expect(complaints.filter((one) => !/status of (422|500)/.test(one))).toEqual([])
})
