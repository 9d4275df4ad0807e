import { globSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { expect } from '@playwright/test'
import { z } from 'zod'
import type { EngineWindow } from './engine-window.ts'
import { startScreen } from './screen.ts'
import { openWebDriverSession } from './webdriver.ts'

/** The key of an element's id in WebDriver's responses. */
const ELEMENT = 'element-6066-11e4-a52e-4f735466cecf'
const Elements = z.array(z.object({ [ELEMENT]: z.string() })).nullable()
const KEYS = { Enter: '\uE007', Escape: '\uE00C' }

/** Testing Library finds elements by role and label; the page has it as `TestingLibraryDom`. */
const QUERIES = createRequire(import.meta.url).resolve('@testing-library/dom/dist/@testing-library/dom.umd.min.js')
const BY_ROLE =
  'return window.TestingLibraryDom?.queryAllByRole(document.body, arguments[0], { name: arguments[1] }) ?? null'
const BY_LABEL = 'return window.TestingLibraryDom?.queryAllByLabelText(document.body, arguments[0]) ?? null'

/** Opens WebKitGTK's small browser over WebDriver, on its own display. It reports errors from each page's load on. */
export async function openWebKitGtk(): Promise<EngineWindow> {
  const screen = await startScreen()
  const session = await openWebDriverSession(screen.display, { binary: miniBrowser(), args: ['--automation'] })
  const queries = await readFile(QUERIES, 'utf8')
  const reports: string[] = []

  const run = (script: string, ...args: unknown[]) => session.post('/execute/sync', { script, args })

  async function findAll(script: string, ...args: string[]): Promise<string[]> {
    let found = Elements.parse(await run(script, ...args))
    if (found === null) {
      await run(`${queries}; return null`)
      found = Elements.parse(await run(script, ...args))
    }
    return found?.map((element) => element[ELEMENT]) ?? []
  }

  async function find(script: string, ...args: string[]): Promise<string> {
    const [element, other] = await findAll(script, ...args)
    if (element === undefined || other !== undefined) throw new Error(`Not exactly one: ${args.join(' ')}`)
    return `/element/${element}`
  }

  /** The page's reports are lost with the page. */
  async function collectReports(): Promise<void> {
    reports.push(...z.array(z.string()).parse(await run('return window.takeReports?.() ?? []')))
  }

  return {
    async open(url) {
      await collectReports()
      await session.post('/url', { url })
      await run(`(${recordReports})()`)
    },
    /** There is no window manager, so the window has no frame around the page; it is at least 447 px wide. */
    resize: async (width, height) => void (await session.post('/window/rect', { width, height })),
    expectCount: (role, name, count) =>
      expect.poll(async () => (await findAll(BY_ROLE, role, name)).length, `${role} ${name}`).toBe(count),
    expectText: (text) => expect.poll(() => run('return document.body.innerText')).toContain(text),
    click: async (role, name) => void (await session.post(`${await find(BY_ROLE, role, name)}/click`, {})),
    type: async (label, text) => void (await session.post(`${await find(BY_LABEL, label)}/value`, { text })),
    async press(key) {
      const actions = ['keyDown', 'keyUp'].map((type) => ({ type, value: KEYS[key] }))
      await session.post('/actions', { actions: [{ type: 'key', id: 'keyboard', actions }] })
    },
    read: (script) => run(`return (${script})()`),
    async reports() {
      await collectReports()
      return reports
    },
    async close() {
      await session.end()
      await screen.stop()
    },
  }
}

function miniBrowser(): string {
  const [browser] = globSync('/usr/lib/*/webkit2gtk-4.1/MiniBrowser')
  if (!browser) throw new Error('WebKitGTK has no browser here; npm test installs one where it may')
  return browser
}

/** Runs in the page once it has loaded: WebDriver cannot retrieve earlier reports. */
function recordReports(): void {
  const found: string[] = []
  document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) => {
    found.push(`${violatedDirective} ${blockedURI}`)
  })
  addEventListener('error', ({ message }) => found.push(`thrown: ${message}`))
  addEventListener('unhandledrejection', ({ reason }) => found.push(`rejected: ${reason}`))
  for (const level of ['error', 'warn'] as const)
    console[level] = (...args) => found.push(`${level}: ${args.join(' ')}`)
  Object.assign(window, { takeReports: () => found.splice(0) })
}
