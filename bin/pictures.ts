// Takes the pictures of docs/ from the running product and draws the icons: npm run pictures, or for a selection
// npm run pictures -- online hosts icons
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Browser, BrowserContextOptions, Page } from '@playwright/test'
import { startFirstMeeting } from '../demo/first-meeting.ts'
import { addSampleData } from '../demo/sample-data.ts'
import { SAMPLE_PEOPLE, samplePassword } from '../demo/sample-people.ts'
import type { SimulatedPhone } from '../simulator/phone.ts'
import { SAMPLE_HOSTS } from '../simulator/sample-logins.ts'
import { signInPhone } from '../simulator/sign-in.ts'
import { launchChromium } from '../test/e2e/support/chromium.ts'
import { startAcceptingSmtp } from '../test/servers/accepting-smtp.ts'
import { dataFolder, http, MASTER, type ServerProcess, startServerProcess } from '../test/servers/server-process.ts'
import { CROPS, type Crop } from './crops.ts'
import { encodePicture } from './encode-picture.ts'
import { drawIcons } from './icons.ts'
import { HOST_SCREENS, MASTER_SCREENS, type ScreenPicture } from './screens.ts'
import { takeSeat } from './seat-picture.ts'

const FOLDER = new URL('../docs/pictures/', import.meta.url).pathname
const PHONES = 36
/** Few, so that those in Zoom only are in sight. */
const PHONES_BESIDE_SEAT = 8
const NEW_PASSWORD = 'seven green kettles'
/** The phones that do not only listen, by their index among the users of the pictured room. */
const SPEAKING = [12]
const ASKING = [11, 20]
const WITH_SPEAKER = [0, 7, 13, 26, 31]

/** Taken without the sample room. */
const ALONE = ['icons', 'online-seat', 'system-mail']

const only = process.argv.slice(2)
const isWanted = (name: string) => only.length === 0 || only.includes(name)
/** A screen that fails does not stop the others. */
const faults: string[] = []
const folder = await dataFolder()
const [server, browser] = await Promise.all([
  startServerProcess({ DATA_DIR: folder.path, ZOOM_EMULATOR_CONTROL: '1' }),
  launchChromium(),
])
const phones: SimulatedPhone[] = []
try {
  await mkdir(FOLDER, { recursive: true })
  if (only.length === 0 || only.some((name) => !ALONE.includes(name))) {
    await fillTheRoom(server)
    await startMeeting(server.emulator_origin, phones)
    await addHelpers(server)
    await takePictures(browser, server)
  }
  if (isWanted('system-mail')) await attempt('system-mail', () => takeMailPicture(browser))
  if (isWanted('online-seat')) await attempt('online-seat', () => takeSeatPicture(browser))
  if (isWanted('icons')) await drawIcons(browser, new URL('../web/public/', import.meta.url).pathname)
} finally {
  for (const phone of phones) await phone.close()
  await browser.close()
  await server.kill('SIGTERM')
  await folder.remove()
}
if (faults.length > 0) {
  process.stderr.write(`Not taken:\n${faults.join('\n')}\n`)
  process.exitCode = 1
}

async function fillTheRoom(
  { port, public_url: publicUrl, emulator_origin: emulatorOrigin }: ServerProcess,
  count = PHONES,
) {
  const baseUrl = `http://127.0.0.1:${port}`
  const { circle } = await addSampleData({ server: baseUrl, publicUrl, emulatorOrigin, master: MASTER })
  for (const [index, { username }] of SAMPLE_PEOPLE.slice(0, count).entries()) {
    const phone = await signInPhone({ baseUrl, hostId: circle.user_id, username, password: samplePassword(index) })
    phones.push(phone)
    await phone.openStream()
    if (SPEAKING.includes(index)) await phone.speak()
    if (ASKING.includes(index)) await phone.raiseHand()
    if (WITH_SPEAKER.includes(index)) await phone.report({ speaker_on: true })
  }
}

/** Adds assistants of the sample host, and masters: some who have set their password, and one who has not yet. */
async function addHelpers(server: ServerProcess) {
  const master = (await post(server, '/auth/master-login', MASTER)).token
  const host = (await post(server, '/auth/host/login', SAMPLE_HOSTS.circle)).data.token
  const join = ({ data: { url } }: { data: { url: string } }) =>
    post(server, '/auth/links/use', { token: url.split('#')[1], password: NEW_PASSWORD })
  const addAssistant = (name: string, role: string) => post(server, '/host/assistants', { name, role }, host)
  for (const [name, role] of [
    ['Kofi', 'manager'],
    ['Ines', 'moderator'],
  ] as const) {
    const added = await addAssistant(name, role)
    await join(added)
    await post(server, '/auth/host/login', { username: added.data.assistant.login_name, password: NEW_PASSWORD })
  }
  await addAssistant('Tomasz', 'moderator')
  const invite = (name: string, full_name: string) =>
    post(server, '/admin/masters/invitations', { email: `${name}@parley.example`, full_name }, master)
  await join(await invite('ruth', 'Ruth Adeyemi'))
  await post(server, '/auth/master-login', { email: 'ruth@parley.example', password: NEW_PASSWORD })
  await invite('daniel', 'Daniel Okafor')
}

async function post(server: ServerProcess, path: string, body: object, token?: string) {
  const answer = await http(server, 'POST', path, { body, ...(token && { token }) })
  if (answer.status !== 200) throw new Error(`${path} was refused: ${JSON.stringify(answer.body)}`)
  return answer.body
}

/** Takes the page of a reset link, with a password that is being typed. */
async function takeResetLink(page: Page, server: ServerProcess) {
  const { token } = await post(server, '/auth/master-login', MASTER)
  const { hosts } = (await http(server, 'GET', '/admin/hosts', { token })).body.data
  const host = hosts.find(({ username }: { username: string }) => username === SAMPLE_HOSTS.readers.username)
  const link = await post(server, `/admin/hosts/${host.id}/reset-link`, {}, token)
  await page.goto(link.data.url)
  await page.getByLabel('New password').fill(NEW_PASSWORD)
  await page.getByText('Strong').waitFor()
  await keep(page, 'set-password')
  await page.context().close()
}

/** Starts a recorded meeting, unless it is running already, with everyone in it. */
async function startMeeting(emulatorOrigin: string | null, joining: readonly SimulatedPhone[]) {
  const id = joining[0]?.room.zoom_meeting_id
  const control = async (action: string, body: object) => {
    const answer = await fetch(`${emulatorOrigin}/_emulator/meetings/${id}/${action}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    if (!answer.ok) throw new Error(`The emulator refused ${action}: ${await answer.text()}`)
  }
  await control('start', {})
  await control('recording', { action: 'start' })
  for (const { state } of joining) await control('participants/join', { customer_key: state.id })
}

async function takePictures(browser: Browser, server: ServerProcess) {
  const { host_url, master_url } = server
  const wide = { viewport: { width: 1200, height: 750 }, colorScheme: 'light' } as const
  const page = await hostPage(browser, host_url, wide, 'login')
  await takeScreens(page, host_url, HOST_SCREENS)

  if (isWanted('set-password'))
    await attempt('set-password', async () => takeResetLink(await (await browser.newContext(wide)).newPage(), server))

  const narrow = { viewport: { width: 390, height: 760 }, deviceScaleFactor: 2, colorScheme: 'light' } as const
  const onPhone = await hostPage(browser, host_url, narrow)
  await open(onPhone, `${host_url}/host/online`)
  await keep(onPhone, 'online-on-a-phone')
  await onPhone.context().close()

  await takeScreens(await masterPage(browser, master_url, 'master-login'), master_url, MASTER_SCREENS)

  for (const crop of CROPS.filter(({ name }) => isWanted(name))) {
    for (const colorScheme of ['light', 'dark'] as const) {
      const viewport = { width: crop.windowWidth, height: 900 }
      const page = await hostPage(browser, host_url, { viewport, deviceScaleFactor: 2, colorScheme })
      await attempt(`${crop.name}-${colorScheme}`, () => takeCrop(page, host_url, crop, colorScheme))
      await page.context().close()
    }
  }
}

/** Opens a page of the signed-in master; takes a picture of the sign-in if `picture` names one. */
async function masterPage(browser: Browser, masterUrl: string, picture?: string) {
  // In a narrower window the table of hosts moves a row's actions into a menu.
  const desktop = { viewport: { width: 1440, height: 900 }, colorScheme: 'light' } as const
  const page = await (await browser.newContext(desktop)).newPage()
  await page.goto(`${masterUrl}/master-login`)
  await page.getByLabel('Email').fill(MASTER.email)
  if (picture) await keep(page, picture)
  await page.getByLabel(/^Password/).fill(MASTER.password)
  await page.getByRole('button', { name: 'Sign In' }).click()
  await page.getByRole('heading', { name: 'Host Management' }).waitFor()
  return page
}

/** Takes the foot of the page System at a server that sends mail: the others show one that does not. */
async function takeMailPicture(browser: Browser) {
  const smtp = await startAcceptingSmtp()
  const folder = await dataFolder()
  const server = await startServerProcess({ DATA_DIR: folder.path, SMTP_URL: smtp.url })
  try {
    const page = await masterPage(browser, server.master_url)
    await page.setViewportSize({ width: 1440, height: 600 })
    await open(page, `${server.master_url}/master/system`)
    await page.getByRole('button', { name: 'Send test mail' }).click()
    await page.getByText(/^The mail server took the mail/).waitFor()
    await page.getByText('Servers', { exact: true }).scrollIntoViewIfNeeded()
    await keep(page, 'system-mail')
    await page.context().close()
  } finally {
    await server.kill('SIGTERM')
    await folder.remove()
    await smtp.stop()
  }
}

/** Takes the Online page with the seat, at a server of its own: the others show what a server without seats has. */
async function takeSeatPicture(browser: Browser) {
  const folder = await dataFolder()
  const server = await startServerProcess({ DATA_DIR: folder.path, ZOOM_EMULATOR_CONTROL: '1' })
  try {
    const { emulator_origin, host_url, public_url } = server
    if (!emulator_origin) throw new Error('There is no stand-in for Zoom')
    await fillTheRoom(server, PHONES_BESIDE_SEAT)
    const invitation = await startFirstMeeting(public_url)
    await startMeeting(emulator_origin, phones.slice(-PHONES_BESIDE_SEAT))
    const size = { viewport: { width: 1200, height: 750 }, colorScheme: 'light' } as const
    const page = await hostPage(browser, host_url, size)
    await open(page, `${host_url}/host/online`)
    const leave = await takeSeat(page, emulator_origin, invitation)
    await keep(page, 'online-seat')
    await leave()
    await page.context().close()
  } finally {
    await server.kill('SIGTERM')
    await folder.remove()
  }
}

/** Takes one picture of a part of a page, in double size for high-density screens. */
async function takeCrop(page: Page, origin: string, crop: Crop, scheme: string) {
  const { name, path, prepare, elements, margin, endsAtFoot } = crop
  await open(page, origin + path)
  await prepare?.(page)
  await settle(page)
  const boxes = await Promise.all(elements(page).map((part) => part.boundingBox()))
  const found = boxes.filter((box) => box !== null)
  if (found.length < boxes.length) throw new Error('A part of it is not there')
  const { x: left, y: top } = await page.evaluate(() => ({ x: window.scrollX, y: window.scrollY }))
  const x = Math.min(...found.map((box) => box.x))
  const y = Math.min(...found.map((box) => box.y))
  const width = Math.max(...found.map((box) => box.x + box.width)) - x
  const height = Math.max(...found.map((box) => box.y + box.height)) - y
  const clip = {
    x: Math.floor(x + left) - margin,
    y: Math.floor(y + top) - margin,
    width: Math.ceil(width) + 2 * margin,
    height: Math.ceil(height) + (endsAtFoot ? 1 : 2) * margin,
  }
  const png = await page.screenshot({ clip, fullPage: true, animations: 'disabled', caret: 'hide' })
  await save(`${name}-${scheme}.avif`, await encodePicture(png, 'avif'))
}

async function takeScreens(page: Page, origin: string, screens: ScreenPicture[]) {
  page.setDefaultTimeout(10_000)
  for (const { name, path, prepare } of screens.filter((screen) => isWanted(screen.name))) {
    await attempt(name, async () => {
      await open(page, origin + path)
      await prepare?.(page)
      await keep(page, name)
    })
  }
  await page.context().close()
}

async function attempt(name: string, take: () => Promise<void>) {
  try {
    await take()
  } catch (error) {
    faults.push(`${name}: ${error instanceof Error ? error.message : error}`)
  }
}

/** Opens a page of the signed-in sample host; takes a picture of the login if `picture` names one. */
async function hostPage(browser: Browser, hostUrl: string, options: BrowserContextOptions, picture?: string) {
  const page = await (await browser.newContext(options)).newPage()
  await page.goto(`${hostUrl}/login`)
  await page.getByLabel('Username').fill(SAMPLE_HOSTS.circle.username)
  await page.getByLabel(/^Password/).fill(SAMPLE_HOSTS.circle.password)
  if (picture) await keep(page, picture)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.waitForURL('**/host/dashboard')
  await page.getByRole('button', { name: 'Dismiss' }).click()
  return page
}

/** Returns once the page has loaded. */
async function open(page: Page, address: string) {
  await page.goto(address)
  await page.getByRole('heading', { level: 1 }).waitFor()
  await page.waitForLoadState('load')
  await page.waitForFunction(() => !document.querySelector('[role=status] [class*=spinner], [data-loading]'))
}

async function keep(page: Page, name: string) {
  if (!isWanted(name)) return
  await settle(page)
  const png = await page.screenshot({ animations: 'disabled', caret: 'hide' })
  await save(`${name}.webp`, await encodePicture(png, 'webp'))
}

async function settle(page: Page) {
  await page.waitForTimeout(700) // until animations have ended
  // A production Parley uses the real Zoom.
  await page.getByText(/^Demo Zoom/).evaluateAll((marks) => {
    for (const mark of marks) (mark.closest('.mantine-Badge-root') ?? mark).remove()
  })
}

async function save(name: string, { bytes, width, height }: Awaited<ReturnType<typeof encodePicture>>) {
  await writeFile(join(FOLDER, name), bytes)
  process.stdout.write(`${name}  ${width} x ${height}  ${Math.round(bytes.length / 1024)} kB\n`)
}
