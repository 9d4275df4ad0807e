import type { Page } from 'playwright-core'
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

let sites: Sites
beforeAll(async () => {
  sites = await startSites()
}, 60_000)
afterAll(() => sites.close())

test.each(SITES)('on the %s site every address ends where the table says', { timeout: 180_000 }, async (site) => {
  const at = { public: sites.server.public_url, host: sites.server.host_url, master: sites.server.master_url }[site]
  const walks = VISITORS.map(async (visitor, place) => {
    const context = await sites.browser.newContext()
    const page = await context.newPage()
    if (visitor !== 'nobody') await page.goto(`${at}/support?auth_token=${await sites.tokenOf(visitor)}`)
    const ended: Record<string, string> = {}
    for (const { path } of rows) ended[path] = await endOf(page, at + path)
    await context.close()
    const column = SITES.indexOf(site) * VISITORS.length + place
    expect(ended, visitor).toEqual(Object.fromEntries(rows.map(({ path, ends }) => [path, ends[column]])))
  })
  await Promise.all(walks)
})

/** Pages have a heading; what only sends on, or waits, has none. */
async function endOf(page: Page, address: string): Promise<string> {
  await page.goto(address, { waitUntil: 'commit' })
  await page.locator('h1').first().waitFor({ state: 'attached' })
  return new URL(page.url()).pathname
}
