import { join } from 'node:path'
import { type BrowserContext, type BrowserContextOptions, chromium, type Frame, type Page } from '@playwright/test'
import { http, type ServerProcess } from '../../servers/server-process.ts'
import { chromiumOptions } from './chromium.ts'
import type { TestHost } from './hosts.ts'
import { test as online } from './online-room.ts'
import type { Person } from './people.ts'
import { microphoneArgs, wavOfBursts } from './sound.ts'
import { expect } from './test.ts'
import { control } from './zoom.ts'
import { addZoomHost, roomOf } from './zoom-host.ts'

/** The meeting of the host's room at the emulator. */
interface Meeting {
  number: string
  start(): Promise<void>
  end(): Promise<void>
}

/** A person's phone: a tab of the phone app in a separate browser profile. */
export interface PhoneApp extends Person {
  page: Page
}

interface PhoneFixtures {
  meeting: Meeting
  /** Opens a phone's browser, with permission for the microphone unless the options differ. */
  newPhone: (options?: BrowserContextOptions) => Promise<BrowserContext>
  /** Signs the person in without joining the room. */
  openApp: (person: Person, phone?: BrowserContext) => Promise<PhoneApp>
  /** Signs the person in and joins the sound. */
  joinApp: (person: Person) => Promise<PhoneApp>
}

interface PhoneWorker {
  /** The sound file that every microphone plays. */
  speech: string
  browserArgs: string[]
}

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true }

/** Phones whose microphones play bursts of a tone, and the console of their host, whose Zoom account is connected. */
export const test = online.extend<PhoneFixtures, PhoneWorker>({
  browserArgs: [[], { scope: 'worker', option: true }],
  speech: [
    async ({}, use, { workerIndex, project }) => {
      const path = join(project.outputDir, `speech-${workerIndex}.wav`)
      await wavOfBursts(path)
      await use(path)
    },
    { scope: 'worker' },
  ],
  browser: [
    async ({ speech, browserArgs }, use) => {
      const args = [...chromiumOptions.args, ...microphoneArgs(speech), ...browserArgs]
      const browser = await chromium.launch({ ...chromiumOptions, args })
      await use(browser)
      await browser.close()
    },
    { scope: 'worker' },
  ],
  host: async ({ server }, use) => use(await addZoomHost(server)),
  meeting: async ({ server, host }, use) => {
    const number = String((await roomOf(server, host)).zoom_meeting_id)
    await use({
      number,
      start: () => startByLink(server, host),
      end: () => control(server, `/meetings/${number}/end`),
    })
  },
  newPhone: async ({ newContext }, use) =>
    use((options = {}) => newContext({ ...PHONE, permissions: ['microphone'], ...options })),
  openApp: async ({ server, host, newPhone }, use) =>
    use(async (person, phone) => {
      const page = await (phone ?? (await newPhone())).newPage()
      await signInToPhoneApp(page, server, host, person)
      return { ...person, page }
    }),
  joinApp: async ({ openApp }, use) =>
    use(async (person) => {
      const app = await openApp(person)
      await joinSound(app)
      return app
    }),
})

/** Starts the meeting like the host's Start meeting. */
async function startByLink(server: ServerProcess, { token }: TestHost): Promise<void> {
  const { start_url } = (await http(server, 'POST', '/host/room/start', { token })).body.data
  const answer = await fetch(start_url)
  if (!answer.ok) throw new Error(`Zoom's start link answered ${answer.status}`)
}

export async function signInToPhoneApp(
  page: Page,
  server: ServerProcess,
  host: TestHost,
  person: Person,
): Promise<void> {
  await page.goto(`${server.phone_url}/?host=${host.user_id}`)
  await page.getByLabel('Username').fill(person.username)
  await page.getByLabel('Password', { exact: true }).fill(person.password)
  await tap(page, 'Sign in').press('Enter') // a click on Join, in the same place, may follow at once
  await expect(tap(page, 'Join')).toBeVisible()
}

export async function joinSound({ page }: Pick<PhoneApp, 'page'>): Promise<void> {
  await tap(page, 'Join').click()
  await joinAudio(page)
}

export async function joinAudio(page: Page): Promise<void> {
  await zoom(page).getByRole('button', { name: 'Join Audio' }).click()
  await expect(
    tap(page, 'Speak')
      .or(page.getByText(/has muted/))
      .first(),
  ).toBeVisible()
  await expect(zoom(page).getByRole('button', { name: 'Unmute' })).toBeVisible()
}

export const tap = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

/** Locates Zoom's own interface in its frame. */
export const zoom = (page: Page) => page.frameLocator('iframe')

/** Returns the frame that plays the sound. */
export function meetingFrame(page: Page): Frame {
  const frame = page.frames().find((one) => new URL(one.url() || 'about:blank').hostname.startsWith('meeting.'))
  if (!frame) throw new Error('There is no meeting')
  return frame
}

/** Presses Speak by key, since a tap is ignored right after the host has asked, and waits until others can hear the person. */
export async function speak({ page }: Pick<PhoneApp, 'page'>): Promise<void> {
  await tap(page, 'Speak').press('Enter')
  await expect(page.getByText('You can be heard', { exact: true }).first()).toBeVisible()
}
