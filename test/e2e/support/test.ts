import { type BrowserContext, type BrowserContextOptions, test as base, expect, type Page } from '@playwright/test'
import type { SimulatedPhone } from '../../../simulator/phone.ts'
import { recordToasts } from '../../pages/record-toasts.ts'
import {
  dataFolder,
  PROGRAM,
  type ServerProcess,
  SHORT_LIVED_FLAGS,
  startServerProcess,
} from '../../servers/server-process.ts'
import { ConsoleErrors } from './console-errors.ts'
import { addHost, type ConsoleSession, masterSession, storeSession, type TestHost } from './hosts.ts'
import { addPeople, openPhone, type Person } from './people.ts'
import type { Gallery } from './phone-gallery/build-gallery.ts'

/** Halves the processor time of a server, most of which goes into hashes of passwords otherwise. */
export const QUICK_ARGON2 = new URL('../../runner/with-quick-argon2.ts', import.meta.url).href

interface WorkerFixtures {
  /** Additional settings of the server, which `test.use` sets for all tests of a file. */
  serverEnv: Record<string, string>
  /** A server with its three sites and the Zoom emulator, shared by a worker's tests: each test adds its own host. */
  server: ServerProcess
  /** The screens of the phone app with fake sessions, built once for a worker's tests. */
  gallery: Gallery
}

interface TestFixtures {
  consoleErrors: ConsoleErrors
  /** A separate server for the test, with only the master. */
  emptyServer: ServerProcess
  /** A separate host for the test: a year of subscription, no Zoom, an empty room. */
  host: TestHost
  /** A separate session for the test, which may end it. */
  master: ConsoleSession
  /** Opens another browser window that shares nothing with `page`. */
  newContext: (options?: BrowserContextOptions) => Promise<BrowserContext>
  /** `page`, signed in as `host` on the host site, where `open` takes a path such as `/host/users`. */
  hostPage: Page
  /** `page`, signed in as `master` on the master site. */
  masterPage: Page
  addPeople: (names: readonly string[], fieldsOf?: (name: string, index: number) => object) => Promise<Person[]>
  /** Signs a person's phone in to `host`'s room; closed after the test. */
  openPhone: (person: Pick<Person, 'username' | 'password'>) => Promise<SimulatedPhone>
}

export const test = base.extend<TestFixtures, WorkerFixtures>({
  serverEnv: [{}, { scope: 'worker', option: true }],
  server: [
    async ({ serverEnv }, use) => {
      const { server, stop } = await startServer(serverEnv)
      await use(server)
      await stop()
    },
    { scope: 'worker', timeout: 120_000 },
  ],
  gallery: [
    async ({}, use) => {
      const { buildGallery } = await import('./phone-gallery/build-gallery.ts') // brings Vite
      const gallery = await buildGallery()
      await use(gallery)
      await gallery.remove()
    },
    { scope: 'worker', timeout: 120_000 },
  ],
  emptyServer: async ({ serverEnv }, use) => {
    const { server, stop } = await startServer(serverEnv)
    await use(server)
    await stop()
  },
  consoleErrors: [
    async ({}, use) => {
      const consoleErrors = new ConsoleErrors()
      await use(consoleErrors)
      expect(consoleErrors.unexpected()).toEqual([])
    },
    { auto: true },
  ],
  context: async ({ context, consoleErrors }, use) => {
    consoleErrors.watch(context)
    await context.addInitScript(recordToasts)
    await use(context)
  },
  newContext: async ({ browser, consoleErrors, viewport }, use) => {
    const opened: BrowserContext[] = []
    await use(async (options = {}) => {
      const context = await browser.newContext({ viewport, ...options })
      consoleErrors.watch(context)
      await context.addInitScript(recordToasts)
      opened.push(context)
      return context
    })
    for (const context of opened) await context.close()
  },
  host: async ({ server }, use) => use(await addHost(server)),
  master: async ({ server }, use) => use(await masterSession(server)),
  hostPage: async ({ page, server, host }, use) => {
    await storeSession(page, server.host_url, host)
    await use(page)
  },
  masterPage: async ({ page, server, master }, use) => {
    await storeSession(page, server.master_url, master)
    await use(page)
  },
  addPeople: async ({ server, host }, use) => use((names, fieldsOf) => addPeople(server, host, names, fieldsOf)),
  openPhone: async ({ server, host }, use) => {
    const phones: SimulatedPhone[] = []
    await use(async (person) => {
      const phone = await openPhone(server, host, person)
      phones.push(phone)
      return phone
    })
    for (const phone of phones) phone.close()
  },
})

export { expect } from '@playwright/test'

async function startServer(env: Record<string, string>) {
  const folder = await dataFolder()
  const settings = { DATA_DIR: folder.path, ZOOM_EMULATOR_CONTROL: '1', ...env }
  const server = await startServerProcess(settings, [], PROGRAM, [...SHORT_LIVED_FLAGS, '--import', QUICK_ARGON2])
  const stop = async () => {
    await server.kill('SIGKILL') // skips the last snapshot of a temporary folder
    await folder.remove()
  }
  return { server, stop }
}
