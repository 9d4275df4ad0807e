import { createRequire } from 'node:module'
import type { AxeResults } from 'axe-core'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addSampleData } from '../../demo/sample-data.ts'
import { SAMPLE_PEOPLE, samplePassword } from '../../demo/sample-people.ts'
import type { Phone } from '../../simulator/participant.ts'
import { SAMPLE_HOSTS } from '../../simulator/sample-logins.ts'
import { signIn } from '../../simulator/sign-in.ts'
import { dataFolder, MASTER, type ServerProcess, startServerProcess } from '../server-process.ts'
import { launchChromium, watchedPage } from './browser.ts'

const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js')

const HOST_PAGES = {
  '/host/dashboard': 'Dashboard',
  '/host/users': 'Users Master',
  '/host/online': 'Online Users',
  '/host/recordings': 'Cloud Recordings',
  '/host/rooms': 'Rooms Master',
  '/host/host-master': 'Host Master',
  '/host/app-info': 'App Info.',
  '/host/attendance': 'Attendance',
  '/host/downloads': 'Downloads',
}

let folder: Awaited<ReturnType<typeof dataFolder>>
let server: ServerProcess
let browser: Browser
const phones: Phone[] = []

/** The colours differ by scheme, all else by width. */
const LOOKS = [
  { colorScheme: 'light', width: 1440, height: 900, rules: "{ resultTypes: ['violations'] }" },
  { colorScheme: 'dark', width: 1440, height: 900, rules: "{ runOnly: ['color-contrast'] }" },
  { colorScheme: 'dark', width: 360, height: 780, rules: "{ resultTypes: ['violations'] }" },
  { colorScheme: 'light', width: 360, height: 780, rules: "{ runOnly: ['color-contrast'] }" },
] as const

beforeAll(async () => {
  folder = await dataFolder()
  ;[server, browser] = await Promise.all([
    startServerProcess({ DATA_DIR: folder.path, ZOOM_EMULATOR_CONTROL: '1' }),
    launchChromium(),
  ])
  const at = `http://127.0.0.1:${server.port}`
  const { public_url: publicUrl, emulator_origin: emulatorOrigin } = server
  const { circle } = await addSampleData({ server: at, publicUrl, emulatorOrigin, master: MASTER })
  for (const [index, person] of SAMPLE_PEOPLE.slice(0, 4).entries()) {
    const { username } = person
    const phone = await signIn({ baseUrl: at, hostId: circle.user_id, username, password: samplePassword(index) })
    await phone.openStream()
    phones.push(phone)
  }
  await phones[0]?.speak()
  await phones[1]?.raiseHand()
}, 120_000)
afterAll(async () => {
  for (const phone of phones) await phone.close()
  await browser.close()
  await server.kill('SIGTERM')
  await folder.remove()
})

test('every page is accessible, fits, and has nothing to complain of', { timeout: 180_000 }, async () => {
  const context = await browser.newContext({ bypassCSP: true })
  const { page, complaints } = await watchedPage(context)
  await visitPublicPages(page)
  await visitHostPages(page)
  await visitMasterPages(page, context)
  expect(complaints).toEqual([])
  await context.close()
})

async function visitPublicPages(page: Page): Promise<void> {
  for (const path of ['/', '/documentation', '/support', '/terms', '/policy', '/oauth-success', '/oauth-error']) {
    await page.goto(server.public_url + path)
    await page.locator('h1').waitFor()
    await judge(page, path)
  }
}

async function visitHostPages(page: Page): Promise<void> {
  await page.goto(`${server.host_url}/login`)
  await page.getByLabel('Username').fill(SAMPLE_HOSTS.circle.username)
  await judge(page, 'host login')
  await page.getByLabel(/^Password/).fill(SAMPLE_HOSTS.circle.password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.waitForURL('**/host/dashboard')
  for (const [path, heading] of Object.entries(HOST_PAGES)) {
    await page.goto(`${server.host_url}${path}`)
    await page.getByRole('heading', { name: heading, level: 1 }).waitFor()
    await settled(page)
    await judge(page, path)
  }
}

async function visitMasterPages(page: Page, context: BrowserContext): Promise<void> {
  await page.goto(`${server.master_url}/master-login`)
  await page.getByLabel('Email').fill(MASTER.email)
  await judge(page, 'master login')
  await page.getByLabel(/^Password/).fill(MASTER.password)
  await page.getByRole('button', { name: 'Sign In' }).click()
  await page.getByRole('heading', { name: 'Host Management' }).waitFor()
  await settled(page)
  await judge(page, 'host management')
  await page.getByRole('button', { name: 'Add New Host' }).first().click()
  await page.getByRole('dialog').waitFor()
  await judge(page, 'add host')
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  const name = SAMPLE_HOSTS.circle.username
  for (const [act, dialog, settles] of [
    [`View ${name}`, 'Host Details', 'Created, 12 months'],
    [`Edit ${name}`, 'Edit Host', 'Disconnect'],
    [`Manage subscription of ${name}`, 'Manage Subscription', 'Cancel subscription'],
  ] as const) {
    await page.getByRole('button', { name: act, exact: true }).click()
    await page.getByRole('dialog', { name: dialog }).getByText(settles, { exact: true }).waitFor()
    await judge(page, dialog)
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
  }
  await page.getByRole('checkbox', { name: `Select ${name}` }).check()
  await judge(page, 'a selected host')
  await page.getByRole('button', { name: 'Extend subscriptions' }).click()
  await page.getByRole('dialog', { name: 'Extend 1 subscription' }).waitFor()
  await judge(page, 'bulk extension')
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await page.getByRole('link', { name: 'Host Master' }).click()
  await page.getByRole('table', { name: 'All hosts' }).waitFor()
  await judge(page, "a master's Host Master")
  await page.getByRole('button', { name: 'Use dark colours' }).click()
  await page.getByRole('button', { name: 'Use light colours' }).waitFor()
  expect(context.pages()).toHaveLength(1)
}

/** Nothing loads any more: what the page shows is what it came for. */
async function settled(page: Page): Promise<void> {
  await page.waitForFunction(() => !document.querySelector('[aria-busy=true], [data-loading]'))
}

/** Looks at the page in both schemes and both widths, which it takes up as it stands. */
async function judge(page: Page, name: string): Promise<void> {
  await page.addScriptTag({ path: AXE })
  for (const { colorScheme, width, height, rules } of LOOKS) {
    await page.setViewportSize({ width, height })
    await page.emulateMedia({ colorScheme })
    await page.waitForFunction((scheme) => document.documentElement.dataset.mantineColorScheme === scheme, colorScheme)
    await atRest(page)
    const { violations } = await page.evaluate<AxeResults>(`axe.run(${rules})`)
    const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.target.join(' ')).join(', ')}`)
    const look = `${name} in ${colorScheme} at ${width} px`
    expect(found, look).toEqual([])
    const overflow = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    )
    expect(overflow, `${look} scrolls sideways`).toBe(0)
  }
  await page.setViewportSize({ width: 1440, height: 900 })
}

async function atRest(page: Page): Promise<void> {
  await page.waitForFunction(() =>
    document
      .getAnimations()
      .every(
        (animation) =>
          animation.playState !== 'running' ||
          animation.effect?.getComputedTiming().iterations === Number.POSITIVE_INFINITY,
      ),
  )
}
