import { existsSync } from 'node:fs'
import { type APIResponse, type Browser, type BrowserContext, chromium, type Page, type Route } from 'playwright-core'

const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']

/** The system's Chromium with an empty profile, quiet towards the network. */
export function launchChromium(): Promise<Browser> {
  const executablePath = process.env.CHROMIUM ?? PLACES.find((path) => existsSync(path))
  if (!executablePath) throw new Error('Chromium is not installed; npm test installs it where it may')
  return chromium.launch({
    executablePath,
    headless: true,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--autoplay-policy=no-user-gesture-required',
    ],
  })
}

/** A page whose complaints are kept: errors thrown, console errors, and requests to anywhere but this machine. */
export async function watchedPage(context: BrowserContext): Promise<{ page: Page; complaints: string[] }> {
  const complaints: string[] = []
  const watch = (page: Page) => {
    page.on('pageerror', (error) => complaints.push(`thrown: ${error.message}`))
    page.on('console', (message) => {
      if (message.type() === 'error') complaints.push(`console: ${message.text()}`)
    })
    page.on('request', (request) => {
      const { hostname, protocol } = new URL(request.url())
      const isHere = hostname === 'localhost' || hostname.endsWith('.localhost') || hostname === '127.0.0.1'
      if (protocol.startsWith('http') && !isHere) complaints.push(`outbound request: ${request.url()}`)
    })
  }
  context.on('page', watch)
  const page = await context.newPage()
  return { page, complaints }
}

/** What the server really answers to a request of the page, to be changed. Only a browser knows names in localhost. */
export function realAnswer(route: Route): Promise<APIResponse> {
  const url = new URL(route.request().url())
  const { host } = url
  url.hostname = '127.0.0.1'
  return route.fetch({ url: url.href, headers: { ...route.request().headers(), host } })
}
