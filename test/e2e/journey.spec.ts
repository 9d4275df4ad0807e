import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Phone } from '../../simulator/participant.ts'
import { signIn } from '../../simulator/sign-in.ts'
import { dataFolder, http, MASTER, type ServerProcess, startServerProcess } from '../server-process.ts'
import { launchChromium, watchedPage } from './browser.ts'

const HOST = { email: 'ana@studycircle.example', username: 'ana', password: 'evening-circle-7' }
const PEOPLE = [
  { username: 'amina', password: 'amina-password' },
  { username: 'bola', password: 'bola-password' },
] as const

let folder: Awaited<ReturnType<typeof dataFolder>>
let server: ServerProcess
let browser: Browser
const phones: Phone[] = []

beforeAll(async () => {
  folder = await dataFolder()
  ;[server, browser] = await Promise.all([
    startServerProcess({ DATA_DIR: folder.path, ZOOM_EMULATOR_CONTROL: '1' }),
    launchChromium(),
  ])
})
afterAll(async () => {
  for (const phone of phones) await phone.close()
  await browser.close()
  await server.kill('SIGTERM')
  await folder.remove()
})

const tile = (page: Page, username: string) => page.locator('[data-user-id]').filter({ hasText: username })

test('from an empty installation to a recording that plays', { timeout: 120_000 }, async () => {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
  const { page, complaints } = await watchedPage(context)

  // The master connects a Zoom account and makes a host of it.
  await page.goto(`${server.master_url}/`)
  await page.waitForURL('**/master-login')
  await page.getByLabel('Email').fill(MASTER.email)
  await page.getByLabel(/^Password/).fill(MASTER.password)
  await page.getByRole('button', { name: 'Sign In' }).click()
  await page.getByRole('heading', { name: 'Host Management' }).waitFor()

  await page.getByRole('button', { name: 'Add New Host' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add New Host Account' })
  await dialog.getByLabel('Email').fill(HOST.email)
  await dialog.getByLabel('Username').fill(HOST.username)
  await dialog.getByLabel(/^Password/).fill(HOST.password)
  const [popup] = await Promise.all([
    page.waitForEvent('popup'),
    dialog.getByRole('button', { name: 'Connect Zoom' }).click(),
  ])
  await popup.getByRole('radio', { name: /Ana Lima/ }).check()
  const popupClosed = popup.waitForEvent('close')
  await popup.getByRole('button', { name: 'Allow' }).click()
  await dialog.getByText(/Zoom connected!/).waitFor()
  await popupClosed
  await dialog.getByRole('button', { name: 'Add Host' }).click()
  await dialog.getByText('Host account integrated successfully!').waitFor()
  await dialog.waitFor({ state: 'detached' })
  await page
    .getByRole('row', { name: /ana@studycircle\.example/ })
    .getByText('Connected', { exact: true })
    .waitFor()
  await page.getByRole('button', { name: 'Log out' }).click()
  await page.waitForURL('**/master-login')

  // The host adds two people.
  await page.goto(`${server.host_url}/`)
  await page.waitForURL('**/login')
  await page.getByLabel('Username').fill(HOST.username)
  await page.getByLabel(/^Password/).fill(HOST.password)
  const [login] = await Promise.all([
    page.waitForResponse('**/api/auth/host/login'),
    page.getByRole('button', { name: 'Sign in' }).click(),
  ])
  const { token } = (await login.json()).data
  await page.waitForURL('**/host/dashboard')
  await page.getByRole('link', { name: 'Users Master' }).click()
  for (const person of PEOPLE) {
    await page.getByRole('button', { name: 'Add User' }).first().click()
    const form = page.getByRole('dialog', { name: 'Add User' })
    await form.getByLabel('Username').fill(person.username)
    await form.getByLabel(/^Password/).fill(person.password)
    await form.getByRole('button', { name: 'Add User' }).click()
    await form.waitFor({ state: 'detached' })
    await page.getByRole('row', { name: new RegExp(person.username) }).waitFor()
  }

  // Their phones come online, and both tiles are there within a second.
  await page.getByRole('link', { name: 'Online', exact: true }).click()
  await page.getByText('No users are currently online').waitFor()
  const hostId = (await http(server, 'GET', '/host/profile', { token })).body.data.user_id
  const [amina, bola] = await Promise.all(
    PEOPLE.map((person) => signIn({ baseUrl: `http://127.0.0.1:${server.port}`, hostId, ...person })),
  )
  if (!amina || !bola) throw new Error('Two phones were to sign in')
  phones.push(amina, bola)
  await Promise.all(phones.map((phone) => phone.openStream()))
  await Promise.all(PEOPLE.map(({ username }) => tile(page, username).waitFor({ timeout: 1_000 })))

  // One speaks, and its tile says so in red.
  expect(await amina.speak()).toBe(true)
  await page.locator('[data-colour=red]').filter({ hasText: 'amina' }).waitFor()
  expect(await tile(page, 'amina').textContent()).toContain('Speaking')

  // Mute All reaches both phones, which say so.
  const heard = phones.map((phone) => phone.heard((event) => event.name === 'host-mute-all' && event.data.active))
  await page.getByRole('button', { name: 'Mute All', exact: true }).click()
  const commands = await Promise.all(heard)
  await Promise.all(phones.map((phone, index) => phone.acknowledged(commands[index]?.id ?? '')))
  await page.getByText('All 2 phones acknowledged').waitFor()
  expect(phones.map((phone) => phone.state)).toMatchObject([
    { is_muted: true, is_speaking: false },
    { is_muted: true, is_speaking: false },
  ])

  // A click on one tile lets that one speak, and no other.
  const opened = bola.heard((event) => event.name === 'user-mute-status' && !event.data.is_muted)
  await page.getByRole('button', { name: 'Unmute bola' }).click()
  await opened
  await page.getByRole('button', { name: 'Unmute bola' }).waitFor({ state: 'detached' })
  expect([amina.state.is_muted, bola.state.is_muted]).toEqual([true, false])

  // A recording appears at Zoom, and plays.
  const { room } = (await http(server, 'GET', '/host/room', { token })).body.data
  await record(server, room.zoom_meeting_id)
  await page.getByRole('link', { name: 'Cloud Recordings' }).click()
  await page
    .getByRole('button', { name: /^Play / })
    .first()
    .click()
  await page.waitForFunction(() => {
    const audio = document.querySelector('audio')
    return audio !== null && audio.currentTime > 0.5 && !audio.paused
  })

  // It can be heard from further on, too.
  const from = await page.evaluate(() => {
    const audio = document.querySelector('audio')
    if (audio) audio.currentTime = audio.duration - 4
    return audio?.currentTime ?? 0
  })
  expect(from).toBeGreaterThan(1)
  await page.waitForFunction((start) => (document.querySelector('audio')?.currentTime ?? 0) > start + 0.3, from)

  // After logging out the old token is of no use.
  const loggedOut = page.waitForResponse('**/logout')
  await page.getByRole('button', { name: 'Log out' }).click()
  expect((await loggedOut).status()).toBe(200)
  await page.waitForURL('**/login')
  expect((await http(server, 'GET', '/host/users', { token })).status).toBe(401)
  expect(complaints).toEqual([])
})

async function record({ emulator_origin }: ServerProcess, meetingId: string): Promise<void> {
  const answer = await fetch(`${emulator_origin}/_emulator/recordings`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      meeting_id: meetingId,
      start_time: new Date(Date.now() - 3_600_000).toISOString().replace(/\.\d+Z$/, 'Z'),
      duration_minutes: 30,
    }),
  })
  if (!answer.ok) throw new Error(`The emulator refused the recording: ${await answer.text()}`)
}
