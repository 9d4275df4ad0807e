import { readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { type Browser, type BrowserContext, expect, type Page } from '@playwright/test'
import { signForSdk } from '../server/features/phones/join-ticket-signature.ts'
import type { JoinTicket } from '../shared/mobile.ts'
import type { SeatTicket } from '../shared/seat.ts'
import { addHost } from '../test/e2e/support/hosts.ts'
import { addPeople } from '../test/e2e/support/people.ts'
import { openSeatFrame } from '../test/e2e/support/seat-frame.ts'
import { dataFolder, startServerProcess } from '../test/servers/server-process.ts'

const SDK_URL = 'https://source.zoom.us'
/** The first call of the SDK's join. */
const JOIN_CALL = 'https://zoom.us/api/v1/wc/info'
const JOIN_MS = 60_000
const MEETING_NUMBER = '81234567890'
/** The phone's message for Zoom's error after a failed call. */
const REFUSAL = 'Zoom 1'

/** An installation with its own Zoom app, so that its pages have the policy for Zoom rather than the demo's. */
const ZOOM_APP = {
  ...{ ZOOM_CLIENT_ID: 'an-app', ZOOM_CLIENT_SECRET: 'a-secret', ZOOM_WEBHOOK_SECRET: 'a-secret' },
  ...{ ZOOM_SDK_KEY: 'a-key', ZOOM_SDK_SECRET: 'a-secret' },
  ...{ ZOOM_OAUTH_URL: 'http://127.0.0.1:9', ZOOM_API_URL: 'http://127.0.0.1:9/v2' }, // never called
}

const TYPES: Record<string, string> = {
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.wasm': 'application/wasm',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
}

/**
 * Joins with the phone app and its frame, with Zoom's files served in place of Zoom's site, until Zoom's program calls
 * Zoom and reports its failure. Throws anything that went wrong before.
 */
export async function joinWithRealSdk(browser: Browser, folder: string, version: string): Promise<void> {
  const data = await dataFolder()
  const server = await startServerProcess({ DATA_DIR: data.path, ZOOM_SDK_VERSION: version, ...ZOOM_APP })
  const context = await browser.newContext({ permissions: ['microphone'] })
  try {
    const host = await addHost(server)
    const [person] = await addPeople(server, host, ['Anita'])
    if (!person) throw new Error('There is nobody to join')
    const faults = await serveZoomFiles(context, folder, version)
    await answerWithTicket(context, version)
    const page = await context.newPage()
    page.on('console', (message) => {
      if (/Content Security Policy/.test(message.text())) faults.push(message.text())
    })
    await page.goto(`${server.phone_url}/?host=${host.user_id}`)
    await page.getByLabel('Username').fill(person.username)
    await page.getByLabel('Password', { exact: true }).fill(person.password)
    // Signs in by key: Join then appears in the same place, and a second click there would count as a double click.
    await page.getByRole('button', { name: 'Sign in', exact: true }).press('Enter')
    const called = page.waitForRequest((request) => request.url().startsWith(JOIN_CALL), { timeout: JOIN_MS })
    await page.getByRole('button', { name: 'Join', exact: true }).click()
    await called.catch(async () => {
      throw new Error(
        [`Zoom's program has not called Zoom. The phone says: ${await textOf(page)}`, ...faults].join('\n'),
      )
    })
    await page.getByText(REFUSAL, { exact: true }).waitFor()
    if (faults.length > 0) throw new Error(faults.join('\n'))
  } finally {
    await context.close()
    await server.kill('SIGKILL')
    await data.remove()
  }
}

/** The same with the frame of the host's seat, which starts Zoom's program with options of its own. */
export async function takeSeatWithRealSdk(browser: Browser, folder: string, version: string): Promise<void> {
  const data = await dataFolder()
  const settings = { DATA_DIR: data.path, ZOOM_SDK_VERSION: version, ...ZOOM_APP }
  const server = await startServerProcess(settings)
  const context = await browser.newContext()
  try {
    const faults = await serveZoomFiles(context, folder, version)
    const page = await context.newPage()
    page.on('console', (message) => {
      if (/Content Security Policy|Permissions policy/.test(message.text())) faults.push(message.text())
    })
    const seat = await openSeatFrame(page, server)
    const called = page.waitForRequest((request) => request.url().startsWith(JOIN_CALL), { timeout: JOIN_MS })
    await seat.join(await seatTicket(version))
    await called.catch(async () => {
      const end = JSON.stringify(await seat.take('ended'))
      throw new Error([`Zoom's program has not called Zoom. The seat says: ${end}`, ...faults].join('\n'))
    })
    await expect.poll(() => seat.take('ended'), { timeout: JOIN_MS }).toMatchObject([{ zoom_code: 1 }])
    if (faults.length > 0) throw new Error(faults.join('\n'))
  } finally {
    await context.close()
    await server.kill('SIGKILL')
    await data.remove()
  }
}

async function seatTicket(version: string): Promise<SeatTicket> {
  const { signature, expires } = await signForSdk(ZOOM_APP, { meeting_number: MEETING_NUMBER, role: 1 }, Date.now())
  return {
    ...{ role: 1, meeting_number: MEETING_NUMBER, passcode: 'a-passcode', signature, zak: 'a-token' },
    ...{ user_name: 'Parley', customer_key: 'seat-1', sdk_url: SDK_URL, sdk_version: version },
    expires_at: expires.toISOString(),
  }
}

/** Serves Zoom's own files from the folder; returns faults, which grow with requests for missing files. */
async function serveZoomFiles(context: BrowserContext, folder: string, version: string): Promise<string[]> {
  const faults: string[] = []
  await context.route(
    ({ hostname }) => hostname === 'zoom.us' || hostname.endsWith('.zoom.us'),
    (route) => route.abort(),
  )
  await context.route(`${SDK_URL}/**`, async (route) => {
    const path = new URL(route.request().url()).pathname.replace(`/${version}/`, '/')
    const body = await readFile(join(folder, 'package/dist', path)).catch(() => null)
    if (!body) faults.push(`${path} is not in Zoom's package`)
    const headers = { 'access-control-allow-origin': '*', 'content-type': TYPES[extname(path)] ?? 'text/plain' }
    await route.fulfill(body ? { headers, body } : { status: 404, headers })
  })
  return faults
}

async function answerWithTicket(context: BrowserContext, version: string): Promise<void> {
  const meeting_number = MEETING_NUMBER
  const { signature, expires } = await signForSdk(ZOOM_APP, { meeting_number, role: 0 }, Date.now())
  const data: JoinTicket = {
    ...{ role: 0, meeting_number, passcode: 'a-passcode', signature, user_name: 'Anita' },
    ...{ customer_key: 'a-key', sdk_url: SDK_URL, sdk_version: version, join_url: `${SDK_URL}/j/1` },
    expires_at: expires.toISOString(),
  }
  await context.route('**/api/mobile/join-ticket', (route) => route.fulfill({ json: { success: true, data } }))
}

const textOf = (page: Page) => page.locator('main').innerText()
