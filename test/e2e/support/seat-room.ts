import type { Page } from '@playwright/test'
import { StreamSession } from '../../../shared/rooms.ts'
import { http, type ServerProcess } from '../../servers/server-process.ts'
import { openStream } from '../../servers/stream.ts'
import type { ConsoleSession, TestHost } from './hosts.ts'
import { button, pressByKey } from './online-room.ts'
import { test as phones } from './phone-app.ts'
import { expect } from './test.ts'

/** Somebody in the meeting, as the emulator's list of people has them. */
interface InMeeting {
  userName: string
  customerKey: string
  participantUUID: string
  audio: string
  muted: boolean
  isHost: boolean
  isHold: boolean
  raiseHand: boolean
  frames: number // of sound that were passed on
}

interface SeatFixtures {
  /** Opens the Online page in `page` or another one, and takes the seat with it. */
  takeSeat: (page?: Page) => Promise<Page>
  /** Opens the Online page in a browser of its own, without the seat. */
  openConsole: () => Promise<Page>
  /** Joins by Zoom's own app, muted upon entry, with a tone in place of the microphone. */
  joinZoom: (name: string, tone: number) => Promise<Page>
  /** Joins likewise, and opens the microphone. */
  speakInZoom: (name: string, tone: number) => Promise<Page>
  /** Reads who is in the room's meeting, at the emulator. */
  inMeeting: () => Promise<InMeeting[]>
}

/** A room whose host may take the seat, and people in Zoom's own app. */
export const test = phones.extend<SeatFixtures>({
  takeSeat: async ({ openOnline }, use) =>
    use(async (tab) => {
      const page = await openOnline(tab)
      await button(page, 'Take the host’s seat').click()
      await expect(dock(page).getByText('You have the host’s seat')).toBeVisible()
      return page
    }),
  openConsole: async ({ openOnline, newContext }, use) =>
    use(async () => openOnline(await (await newContext()).newPage())),
  joinZoom: async ({ server, meeting, newContext }, use) => {
    const context = await newContext()
    await context.addInitScript(keepTone)
    await use(async (name, tone) => {
      const tab = await context.newPage()
      const query = new URLSearchParams({ name, tone: String(tone), join: '1' })
      await tab.goto(`${server.emulator_origin}/zoom/j/${meeting.number}?${query}`)
      await expect(button(tab, 'Unmute')).toBeVisible()
      return tab
    })
  },
  speakInZoom: async ({ joinZoom }, use) =>
    use(async (name, tone) => {
      const tab = await joinZoom(name, tone)
      await button(tab, 'Unmute').click()
      await expect(button(tab, 'Mute')).toBeVisible()
      return tab
    }),
  inMeeting: async ({ server, meeting }, use) => use(() => readMeeting(server, meeting.number)),
})

/** Lets a test end the page's tone while the microphone stays open, by `hush`. */
function keepTone() {
  const start = OscillatorNode.prototype.start
  OscillatorNode.prototype.start = function (when) {
    Object.assign(window, { hush: () => this.stop() })
    start.call(this, when)
  }
}

async function readMeeting({ emulator_origin }: ServerProcess, number: string): Promise<InMeeting[]> {
  const read = async (path: string) => (await fetch(`${emulator_origin}/_emulator${path}`)).json()
  const [{ participants }, { meetings }] = [await read('/sound'), await read('/state')]
  const { sitting } = meetings.find(({ id }: { id: number }) => String(id) === number)
  const here: { participant_uuid: string }[] = [sitting?.host, ...(sitting?.participants ?? [])].filter(Boolean)
  const uuids = new Set(here.map(({ participant_uuid }) => participant_uuid))
  return participants.filter(({ participantUUID }: InMeeting) => uuids.has(participantUUID))
}

/** Opens the room's stream, as a console or phone does. */
export async function openRoomStream(server: ServerProcess, host: TestHost, { token }: Pick<ConsoleSession, 'token'>) {
  const { room_id } = (await http(server, 'GET', '/host/details', { token: host.token })).body
  const session = await http(server, 'POST', '/mobile/sse-session', { token, body: { room_id } })
  return openStream(`http://127.0.0.1:${server.port}${StreamSession.parse(session.body).sseUrl}`)
}

/** Counts the orders of the page, and of the frames in it, that the emulator was sent. */
export function recordOrders(page: Page): string[] {
  const orders: string[] = []
  page.on('request', (request) => {
    if (/\/sdk\/participants\/[^/]+\/orders$/.test(request.url())) orders.push(request.postDataJSON().do)
  })
  return orders
}

export const isSeat = ({ customerKey }: Pick<InMeeting, 'customerKey'>) => customerKey.startsWith('seat-')

export const dock = (page: Page) => page.getByRole('region', { name: 'The host’s seat' })
export const guest = (page: Page, name: string) =>
  page.getByRole('list', { name: 'In Zoom only' }).getByRole('listitem').filter({ hasText: name })
export const zoomPanel = (page: Page) => page.frameLocator('iframe[title="The seat in Zoom"]')

/** Chooses from a guest's menu, by keyboard. */
export async function chooseOfGuest(page: Page, name: string, item: string): Promise<number> {
  await pressByKey(guest(page, name), `Actions for ${name}`)
  await page.getByRole('menuitem', { name: item, exact: true }).click()
  return Date.now()
}
