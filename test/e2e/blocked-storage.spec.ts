import type { Page } from '@playwright/test'
import { MASTER } from '../servers/server-process.ts'
import { logInHost, logInMaster } from './support/hosts.ts'
import { expect, test } from './support/test.ts'

/** Does what Firefox does where the person blocks the data of all sites. */
function blockSiteData() {
  const deny = () => {
    throw new DOMException('The operation is insecure', 'SecurityError')
  }
  for (const area of ['localStorage', 'sessionStorage']) Object.defineProperty(window, area, { get: deny })
  window.BroadcastChannel = new Proxy(BroadcastChannel, { construct: deny })
  LockManager.prototype.request = async () => deny()
  LockManager.prototype.query = async () => deny()
}

/** Leaves no space for a single character more. */
function fillStorage(page: Page): Promise<void> {
  return page.evaluate(() => {
    for (const area of [localStorage, sessionStorage]) {
      let filler = 'x'.repeat(1 << 20)
      for (let part = 0; filler !== ''; part++) {
        try {
          area.setItem(`filler-${part}`, filler)
        } catch {
          filler = filler.slice(0, filler.length >> 1)
        }
      }
    }
  })
}

test('a browser that blocks site data shows all sites, and a sign-in lasts as long as the page', async ({
  page,
  server,
  host,
}) => {
  await page.addInitScript(blockSiteData)
  await page.goto(server.public_url)
  await expect(page.getByRole('heading', { name: 'Your trusted digital companion' })).toBeVisible()
  await page.goto(server.master_url)
  await logInMaster(page, MASTER)
  await expect(page.getByRole('heading', { name: 'Host Management' })).toBeVisible()

  await page.goto(`${server.host_url}/host/users`)
  await logInHost(page, host)
  await expect(page).toHaveURL(`${server.host_url}/host/users`)
  await page.getByRole('link', { name: 'Online' }).click()
  await expect(page.getByText('No users are currently online')).toBeVisible()
  await expect(page.getByText('Up to date')).toBeVisible()
  await page.reload()
  await expect(page.getByRole('heading', { name: 'Host Login' })).toBeVisible()
})

test('a browser without space signs in with the right password', async ({ page, server, host }) => {
  await page.goto(`${server.host_url}/login`)
  await fillStorage(page)
  await logInHost(page, host)
  await expect(page).toHaveURL(`${server.host_url}/host/dashboard`)
  await expect(page.getByRole('heading', { name: 'Dashboard' })).toBeVisible()
})
