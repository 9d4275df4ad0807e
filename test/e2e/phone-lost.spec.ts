import { type Browser, chromium, type Page } from '@playwright/test'
import { startTcpProxy } from '../faults/tcp-proxy.ts'
import { chromiumOptions } from './support/chromium.ts'
import { FAILED_CALL } from './support/console-errors.ts'
import { LevelRecorder } from './support/levels.ts'
import { tile } from './support/online-room.ts'
import { joinSound, meetingFrame, signInToPhoneApp, speak, tap, test, zoom } from './support/phone-app.ts'
import { LOUD_DBFS, levelPlayed, microphoneArgs, SILENT_DBFS } from './support/sound.ts'
import { expect } from './support/test.ts'

test.beforeEach(({ meeting }) => meeting.start())

test('a phone whose system has stopped it is not answering, then offline, and comes back as the host left it', async ({
  page,
  server,
  host,
  room,
  speech,
  openOnline,
}) => {
  const phone = await launchPhone(speech)
  const amina = { ...room.personNamed('Amina Yusuf'), page: await openPage(phone) }
  await signInToPhoneApp(amina.page, server, host, amina)
  await joinSound(amina)
  await openOnline()
  await speak(amina)
  await expect(tile(page, amina)).toHaveAttribute('data-state', 'speaking')

  const renderers = await renderersOf(phone)
  for (const pid of renderers) process.kill(pid, 'SIGSTOP')
  try {
    await expect(tile(page, amina)).toContainText('Not answering', { timeout: 20_000 })
    await expect(tile(page, amina)).toHaveCount(0, { timeout: 20_000 })
    await expect(page.locator('[data-user-id][data-state=speaking]')).toHaveCount(0)
    await room.act(amina, 'mute')
  } finally {
    for (const pid of renderers) process.kill(pid, 'SIGCONT')
  }
  await expect(tile(page, amina)).toHaveAttribute('data-state', 'muted', { timeout: 5_000 })
  await zoom(amina.page).getByRole('button', { name: 'Join Audio' }).click() // the meeting has forgotten the phone
  await expect(amina.page.getByText('The host has muted you', { exact: true }).first()).toBeVisible()
  await phone.close()
})

test('a phone without a network for 40 s comes back by itself, muted, with a fresh ticket and what it missed', {
  tag: '@realtime',
}, async ({ page, room, newPhone, openApp, joinApp, openOnline, consoleErrors }) => {
  consoleErrors.allow(FAILED_CALL)
  const context = await newPhone()
  const amina = await openApp(room.personNamed('Amina Yusuf'), context)
  await joinSound(amina)
  const ben = await joinApp(room.personNamed('Ben Carter'))
  await openOnline()
  await speak(amina)
  await expect.poll(() => levelPlayed(meetingFrame(ben.page))).toBeGreaterThan(LOUD_DBFS)
  const tickets: string[] = []
  amina.page.on('request', (request) => request.url().endsWith('/join-ticket') && tickets.push(request.url()))

  await context.setOffline(true)
  const lost = Date.now()
  await expect(amina.page.getByText('Connection to Parley lost').first()).toBeVisible()
  await expect(tile(page, amina)).toHaveCount(0, { timeout: 45_000 })
  const atBen = await LevelRecorder.start(meetingFrame(ben.page))
  await room.act(amina, 'mute')
  await expect.poll(() => Date.now() - lost, { timeout: 60_000 }).toBeGreaterThan(40_000)
  await context.setOffline(false)
  const back = Date.now()

  await expect(tile(page, amina)).toHaveAttribute('data-state', 'muted')
  await zoom(amina.page).getByRole('button', { name: 'Join Audio' }).click()
  await expect(amina.page.getByText('The host has muted you', { exact: true }).first()).toBeVisible()
  await expect(tile(page, amina)).toHaveCount(1)
  expect(tickets).toHaveLength(1)
  expect(await atBen.loudest(lost + 5_000, Math.max(back, Date.now()) + 1_500)).toBeLessThan(SILENT_DBFS)
  await expect(tap(amina.page, 'Ask to speak')).toBeVisible()
})

test('a phone whose server hangs is silent within 5 s, though nothing was closed, and comes back muted', {
  tag: '@realtime',
}, async ({ page, server, host, room, speech, joinApp, openOnline }) => {
  const network = await startTcpProxy(() => [server.port])
  const { hostname } = new URL(server.phone_url)
  const phone = await launchPhone(speech, `--host-resolver-rules=MAP ${hostname} 127.0.0.1:${network.port}`)
  const amina = { ...room.personNamed('Amina Yusuf'), page: await openPage(phone) }
  await signInToPhoneApp(amina.page, server, host, amina)
  await joinSound(amina)
  const ben = await joinApp(room.personNamed('Ben Carter'))
  await openOnline()
  await speak(amina)
  await expect.poll(() => levelPlayed(meetingFrame(ben.page))).toBeGreaterThan(LOUD_DBFS)
  const atBen = await LevelRecorder.start(meetingFrame(ben.page))

  network.stall() // the sound takes another path
  const hung = Date.now()
  expect(await atBen.loudest(hung, hung + 2_000)).toBeGreaterThan(LOUD_DBFS)
  // Sound in transit to Ben has half a second to arrive.
  expect(await atBen.loudest(hung + 5_500, hung + 8_500)).toBeLessThan(SILENT_DBFS)
  await expect(amina.page.getByText('Connection to Parley lost').first()).toBeVisible()
  await room.act(amina, 'mute')
  network.restore()
  await expect(amina.page.getByText('The host has muted you', { exact: true }).first()).toBeVisible()
  await expect(tile(page, amina)).toHaveAttribute('data-state', 'muted')
  await phone.close()
  await network.close()
})

test('a speaker whose line to Zoom breaks is silent at once, and comes back with the microphone off', {
  tag: '@realtime',
}, async ({ page, server, host, room, speech, joinApp, openOnline }) => {
  const { hostname, port } = new URL(String(server.emulator_origin))
  const line = await startTcpProxy(() => [Number(port)])
  const phone = await launchPhone(speech, `--host-resolver-rules=MAP ${hostname}:${port} 127.0.0.1:${line.port}`)
  const amina = { ...room.personNamed('Amina Yusuf'), page: await openPage(phone) }
  await signInToPhoneApp(amina.page, server, host, amina)
  await joinSound(amina)
  const ben = await joinApp(room.personNamed('Ben Carter'))
  await openOnline()
  await speak(amina)
  await expect.poll(() => levelPlayed(meetingFrame(ben.page))).toBeGreaterThan(LOUD_DBFS)
  const atBen = await LevelRecorder.start(meetingFrame(ben.page))

  line.cut() // the sound takes another path
  await expect(amina.page.getByText('The sound is lost', { exact: true })).toBeVisible()
  const lost = Date.now()
  await expect(tap(amina.page, 'Stop speaking')).toHaveCount(0)
  await expect(tile(page, amina)).not.toHaveAttribute('data-state', 'speaking')
  await expect.poll(() => Date.now() - lost).toBeGreaterThan(3_000)
  line.restore()
  await expect(amina.page.getByText('Your microphone is off', { exact: true }).first()).toBeVisible({ timeout: 15_000 })
  const back = Date.now()
  await expect.poll(() => Date.now() - back).toBeGreaterThan(2_000)
  expect(await atBen.loudest(lost + 1_000, Date.now())).toBeLessThan(SILENT_DBFS)
  await speak(amina)
  await expect.poll(() => levelPlayed(meetingFrame(ben.page))).toBeGreaterThan(LOUD_DBFS)
  await phone.close()
  await line.close()
})

/** Launches a separate browser, which a test may stop or reroute. */
function launchPhone(speech: string, ...args: string[]): Promise<Browser> {
  return chromium.launch({
    ...chromiumOptions,
    args: [...chromiumOptions.args, ...microphoneArgs(speech), ...args],
  })
}

async function openPage(phone: Browser): Promise<Page> {
  return (await phone.newContext({ permissions: ['microphone'] })).newPage()
}

async function renderersOf(browser: Browser): Promise<number[]> {
  const session = await browser.newBrowserCDPSession()
  const { processInfo } = await session.send('SystemInfo.getProcessInfo')
  await session.detach()
  return processInfo.filter(({ type }) => type === 'renderer').map(({ id }) => id)
}
