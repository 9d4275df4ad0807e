import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { addSampleData } from '../../demo/sample-data.ts'
import { SAMPLE_PEOPLE, samplePassword } from '../../demo/sample-people.ts'
import type { RoomUser } from '../../shared/room-users.ts'
import type { Phone } from '../../simulator/participant.ts'
import { SAMPLE_HOSTS } from '../../simulator/sample-logins.ts'
import { signIn } from '../../simulator/sign-in.ts'
import { dataFolder, http, MASTER, type ServerProcess, startServerProcess } from '../server-process.ts'
import { launchChromium, watchedPage } from './browser.ts'

/** A running server whose first room has people on real phones, and a browser for its host. */
export interface OnlineRoom {
  server: ServerProcess
  browser: Browser
  token: string
  /** The phone of the person at this place of the sample. */
  phone(index: number): Phone
  /** Signs the phones of these places in where they are not, opens their streams, and brings all of them to rest. */
  gather(count: number): Promise<void>
  /** As another console would do it. */
  act(index: number, action: string): Promise<void>
  online(): Promise<RoomUser[]>
  meeting(path: string, body?: object): Promise<void>
  /** A page of the Online screen, signed in, with what it complains of. */
  open(options?: BrowserContextOptions): Promise<{ page: Page; context: BrowserContext; complaints: string[] }>
  close(): Promise<void>
}

export const nameOf = (index: number) => SAMPLE_PEOPLE[index]?.username ?? ''

export async function startOnlineRoom(): Promise<OnlineRoom> {
  const folder = await dataFolder()
  const [server, browser] = await Promise.all([
    startServerProcess({ DATA_DIR: folder.path, ZOOM_EMULATOR_CONTROL: '1' }),
    launchChromium(),
  ])
  const { port, host_url, public_url: publicUrl, emulator_origin: emulatorOrigin } = server
  const baseUrl = `http://127.0.0.1:${port}`
  const { circle } = await addSampleData({ server: baseUrl, publicUrl, emulatorOrigin, master: MASTER })
  const login = await http(server, 'POST', '/auth/host/login', { body: SAMPLE_HOSTS.circle })
  const { token, user } = login.body.data
  const { room } = (await http(server, 'GET', '/host/room', { token })).body.data
  // What the console keeps of a sign-in, so that not every page of these tests has to make one.
  const session = veil(JSON.stringify({ token, user: { ...user, role: 'host' } }))
  const phones = new Map<number, Phone>()

  const phone = (index: number) => {
    const found = phones.get(index)
    if (!found) throw new Error(`The phone of ${nameOf(index)} is not signed in`)
    return found
  }
  return {
    server,
    browser,
    token,
    phone,
    async gather(count) {
      await http(server, 'POST', '/host/trigger-bulk-mute/unmute', { token })
      for (let index = 0; index < count; index++) {
        const known = phones.get(index)
        if (known && (await isBack(known))) continue
        const password = samplePassword(index)
        const fresh = await signIn({ baseUrl, hostId: circle.user_id, username: nameOf(index), password })
        phones.set(index, fresh)
        await fresh.openStream()
      }
    },
    async act(index, action) {
      await http(server, 'POST', `/host/users/${phone(index).user.id}/${action}`, { token })
    },
    async online() {
      return (await http(server, 'GET', '/host/online-users', { token })).body.data.users
    },
    async meeting(path, body = {}) {
      const answer = await fetch(`${emulatorOrigin}/_emulator/meetings/${room.zoom_meeting_id}/${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
      if (!answer.ok) throw new Error(`The emulator refused ${path}: ${await answer.text()}`)
    },
    async open(options = {}) {
      const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, ...options })
      await context.addInitScript((kept) => {
        if (location.protocol === 'http:') sessionStorage.setItem('parley.session', kept)
      }, session)
      const { page, complaints } = await watchedPage(context)
      await page.goto(`${host_url}/host/online`)
      await page.getByText('Live', { exact: true }).waitFor()
      return { page, context, complaints }
    },
    async close() {
      for (const one of phones.values()) one.close()
      await browser.close()
      await server.kill('SIGTERM')
      await folder.remove()
    },
  }
}

/** Whether a phone is in the room, which it may have been put out of while it had no network. */
async function isBack(phone: Phone): Promise<boolean> {
  if (phone.state.ended) return false
  await phone
    .comeBack()
    .then(() => phone.lowerHand())
    .catch(() => {})
  return !phone.state.ended
}

/** As web/session keeps it. */
function veil(text: string): string {
  return btoa(encodeURIComponent(text)).split('').reverse().join('')
}
