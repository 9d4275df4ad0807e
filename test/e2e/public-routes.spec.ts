import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Sites, startSites } from './sites.ts'

/**
 * Where everybody ends up, on every site. A dot: the page that was asked for. Three rules meet here: what each page
 * asks for, where its site keeps its login, and that nobody who is signed in is shown a login.
 */
const TABLE = `
                      public                            host                              master
  path                nobody        host  master        nobody        host  master        nobody        host  master
  /                   .             .     .             /login        HOME  HOSTS         /master-login HOME  HOSTS
  /login              .             HOME  HOSTS         .             HOME  HOSTS         /master-login HOME  HOSTS
  /master-login       .             HOME  HOSTS         /login        HOME  HOSTS         .             HOME  HOSTS

  /terms              .             .     .             .             .     .             .             .     .
  /policy             .             .     .             .             .     .             .             .     .
  /documentation      .             .     .             .             .     .             .             .     .
  /support            .             .     .             .             .     .             .             .     .
  /oauth-success      .             .     .             .             .     .             .             .     .
  /oauth-error        .             .     .             .             .     .             .             .     .

  /master             /master-login HOME  .             /login        HOME  .             /master-login HOME  .
  /master/hosts       /master-login HOME  .             /login        HOME  .             /master-login HOME  .
  /master/hosts/add   /master-login HOME  .             /login        HOME  .             /master-login HOME  .
  /master/dashboard   /master-login HOME  HOSTS         /login        HOME  HOSTS         /master-login HOME  HOSTS
  /master/any/thing   /master-login HOME  HOSTS         /login        HOME  HOSTS         /master-login HOME  HOSTS

  /host               /login        HOME  HOME          /login        HOME  HOME          /master-login HOME  HOME
  /host/dashboard     /login        .     .             /login        .     .             /master-login .     .
  /host/users         /login        .     .             /login        .     .             /master-login .     .
  /host/online        /login        .     .             /login        .     .             /master-login .     .
  /host/host-master   /login        .     .             /login        .     .             /master-login .     .
  /host/rooms         /login        .     .             /login        .     .             /master-login .     .
  /host/recordings    /login        .     .             /login        .     .             /master-login .     .
  /host/app-info      /login        .     .             /login        .     .             /master-login .     .
  /host/downloads     /login        .     .             /login        .     .             /master-login .     .
  /host/anything      /login        HOME  HOME          /login        HOME  HOME          /master-login HOME  HOME

  /nowhere            /             HOME  HOSTS         /login        HOME  HOSTS         /master-login HOME  HOSTS
  /admin/dashboard    /             HOME  HOSTS         /login        HOME  HOSTS         /master-login HOME  HOSTS
  /support/nothing    /             HOME  HOSTS         /login        HOME  HOSTS         /master-login HOME  HOSTS
`

const NAMES: Record<string, string> = { HOME: '/host/dashboard', HOSTS: '/master/hosts' }
const rows = TABLE.split('\n')
  .filter((line) => line.trim().startsWith('/'))
  .map((line) => {
    const [path = '', ...ends] = line.trim().split(/\s+/)
    return { path, ends: ends.map((end) => (end === '.' ? path : (NAMES[end] ?? end))) }
  })

const SITES = ['public', 'host', 'master'] as const
const VISITORS = ['nobody', 'host', 'master'] as const
/** One of each rule is opened as from a bookmark too: the page is loaded, and the session is verified first. */
const LOADED = ['/', '/login', '/master', '/host/rooms', '/nowhere']

let sites: Sites
let context: BrowserContext
beforeAll(async () => {
  sites = await startSites()
  context = await sites.browser.newContext()
}, 60_000)
afterAll(() => sites.close())

test('every address ends where the table says, on each site and for everybody', { timeout: 120_000 }, async () => {
  await Promise.all(VISITORS.map(walkAs))
})

async function walkAs(visitor: (typeof VISITORS)[number], place: number): Promise<void> {
  const page = await context.newPage()
  const token = visitor === 'nobody' ? '' : await sites.tokenOf(visitor)
  for (const site of SITES) {
    const at = sites.server[`${site}_url`]
    await page.goto(`${at}/support?auth_token=${token}`)
    const column = SITES.indexOf(site) * VISITORS.length + place
    const expected = Object.fromEntries(rows.map(({ path, ends }) => [path, ends[column]]))
    const who = `${visitor} on the ${site} site`
    expect(await followLinks(page, Object.keys(expected)), who).toEqual(expected)
    for (const path of LOADED) expect(await loaded(page, at + path), `${who}, ${path} loaded`).toBe(expected[path])
  }
}

/** Where each address leads from another page of the console, as its own links do. */
async function followLinks(page: Page, paths: string[]): Promise<Record<string, string>> {
  await page.locator('h1').waitFor()
  return page.evaluate(async (all) => {
    const words = () => document.querySelector('h1')?.textContent ?? ''
    async function go(to: string, isThere: () => boolean) {
      history.pushState(null, '', to)
      dispatchEvent(new PopStateEvent('popstate'))
      while (!isThere()) await new Promise((look) => setTimeout(look, 5))
    }
    const ends: Record<string, string> = {}
    for (const path of all) {
      // A page that nobody is sent away from: when another heading stands there, the next one has been reached.
      const [between, heading] = path === '/terms' ? ['/policy', 'Privacy Policy'] : ['/terms', 'Terms of Service']
      await go(between, () => words() === heading)
      await go(path, () => ![heading, '', 'Authentication Required'].includes(words())) // that one goes on by itself
      ends[path] = location.pathname
    }
    return ends
  }, paths)
}

/** Pages have a heading; what only sends on, or waits, has none. */
async function loaded(page: Page, address: string): Promise<string> {
  await page.goto(address, { waitUntil: 'commit' })
  await page.locator('h1').first().waitFor({ state: 'attached' })
  return new URL(page.url()).pathname
}
