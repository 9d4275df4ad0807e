import type { Browser, BrowserContext, Page } from 'playwright-core'
import { dataFolder, http, MASTER, type ServerProcess, signInMaster, startServerProcess } from '../server-process.ts'
import { launchChromium } from './browser.ts'

export const HOST = { username: 'ana', email: 'ana@studycircle.example', password: 'evening-circle-7' }

export interface Sites {
  server: ServerProcess
  browser: Browser
  /** A fresh session's token. */
  tokenOf: (role: 'host' | 'master') => Promise<string>
  close: () => Promise<void>
}

/** The server with its three sites, a browser, a master and one host. */
export async function startSites(env: Record<string, string> = {}): Promise<Sites> {
  const folder = await dataFolder()
  const [server, browser] = await Promise.all([
    startServerProcess({ DATA_DIR: folder.path, ZOOM_EMULATOR_CONTROL: '1', ...env }),
    launchChromium(),
  ])
  const token = await signInMaster(server)
  const made = await http(server, 'POST', '/admin/hosts/integrate', { token, body: { ...HOST, subscription_type: 12 } })
  if (made.status !== 200) throw new Error(`No host could be made: ${JSON.stringify(made.body)}`)

  return {
    server,
    browser,
    async tokenOf(role) {
      if (role === 'master') return signInMaster(server)
      return (await http(server, 'POST', '/auth/host/login', { body: HOST })).body.data.token
    },
    async close() {
      await browser.close()
      await server.kill('SIGTERM')
      await folder.remove()
    },
  }
}

export async function signInAsHost(page: Page, password = HOST.password) {
  await page.getByLabel('Username').fill(HOST.username)
  await page.getByLabel(/^Password/).fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

export async function signInAsMaster(page: Page, { email, password } = MASTER) {
  await page.getByLabel('Email').fill(email)
  await page.getByLabel(/^Password/).fill(password)
  await page.getByRole('button', { name: 'Sign In' }).click()
}

/** All that the tab keeps for the session, as text. */
export function stored(page: Page): Promise<Record<string, string>> {
  return page.evaluate(() => Object.fromEntries(Object.entries(sessionStorage)))
}

/** A browser whose pages stand still in time, save for what `passTimeUntil` gives them. */
export async function stillContext({ browser }: Sites): Promise<BrowserContext> {
  const context = await browser.newContext()
  await context.clock.install()
  await context.clock.pauseAt(Date.now() + 3_600_000)
  return context
}

/** Gives how many milliseconds passed in the page until it had come that far. */
export async function passTimeUntil({ clock }: Page, isDone: () => boolean | Promise<boolean>): Promise<number> {
  let passed = 0
  while (!(await isDone())) {
    await clock.runFor(250)
    passed += 250
  }
  return passed
}

/** Connects a Zoom account apart from any form; gives the id of the result. */
export async function resultOf({ server, tokenOf }: Sites, email: string): Promise<string> {
  const token = await tokenOf('master')
  const query = new URLSearchParams({ email, return_url: `${server.master_url}/oauth-success` })
  const { auth_url } = (await http(server, 'GET', `/oauth/url?${query}`, { token })).body
  const request = /name="request" value="([^"]+)"/.exec(await (await fetch(auth_url)).text())?.[1] ?? ''
  const body = new URLSearchParams({ request, account: 'other', email, action: 'allow' })
  const consented = await fetch(new URL('/oauth/consent', auth_url), { method: 'POST', redirect: 'manual', body })
  const returned = await fetch(consented.headers.get('location') ?? '', { redirect: 'manual' })
  const end = new URL(returned.headers.get('location') ?? '')
  return end.searchParams.get('oauth_result') ?? ''
}
