import type { Page } from '@playwright/test'
import type { ServerProcess } from '../server-process.ts'
import { keepSession } from './support/hosts.ts'
import { expect, test } from './support/test.ts'

/** Where the pages lead: an address for each rule. `web/app/redirects.test.ts` has the table of all addresses. */
type Ends = Record<'public' | 'host' | 'master', Record<string, keyof typeof HEADINGS>>

const HEADINGS = {
  '/': 'Your trusted digital companion',
  '/login': 'Host Login',
  '/master-login': 'Master Admin Login',
  '/host/dashboard': 'Dashboard',
  '/host/rooms': 'Rooms Master',
  '/host/host-master': 'Host Master',
  '/master/hosts': 'Host Management',
}

const SITES = ['public', 'host', 'master'] as const

test("redirects a visitor to the site's login, by address and by link", async ({ page, server }) => {
  await expectEnds(page, server, {
    public: { '/': '/', '/host/rooms': '/login' },
    host: { '/master': '/login' },
    master: { '/': '/master-login' },
  })
  await page.goto(`${server.host_url}/terms`)
  await page.getByRole('link', { name: 'HOME', exact: true }).click()
  await expectEnd(page, server.host_url, '/login')
})

test('redirects a host from other pages to its dashboard', async ({ page, server, host }) => {
  for (const site of SITES) await keepSession(page, server[`${site}_url`], host)
  await expectEnds(page, server, {
    public: { '/': '/', '/host/rooms': '/host/rooms' },
    host: { '/nowhere': '/host/dashboard' },
    master: { '/master/hosts': '/host/dashboard' },
  })
  await page.goto(`${server.host_url}/terms`)
  await page.getByRole('link', { name: 'HOME', exact: true }).click()
  await expectEnd(page, server.host_url, '/host/dashboard')
})

test('redirects a master from other pages to Host Management', async ({ page, server, master }) => {
  for (const site of SITES) await keepSession(page, server[`${site}_url`], master)
  await expectEnds(page, server, {
    public: { '/host/host-master': '/host/host-master' },
    host: { '/login': '/master/hosts' },
    master: { '/master/any/thing': '/master/hosts' },
  })
})

async function expectEnds(page: Page, server: ServerProcess, ends: Ends): Promise<void> {
  for (const site of SITES) {
    const siteUrl = server[`${site}_url`]
    for (const [path, end] of Object.entries(ends[site])) {
      await page.goto(siteUrl + path)
      await expectEnd(page, siteUrl, end)
    }
  }
}

async function expectEnd(page: Page, siteUrl: string, end: keyof typeof HEADINGS): Promise<void> {
  await expect(page.getByRole('heading', { name: HEADINGS[end], level: 1, exact: true })).toBeVisible()
  await expect(page).toHaveURL(siteUrl + end)
}
