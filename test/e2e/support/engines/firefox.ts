import { expect, firefox } from '@playwright/test'
import type { EngineWindow } from './engine-window.ts'

/** Opens the system's Firefox over WebDriver BiDi, which does not need Playwright's own Firefox. */
export async function openFirefox(): Promise<EngineWindow> {
  const browser = await firefox.launch({ channel: 'moz-firefox', executablePath: '/usr/bin/firefox-esr' })
  const context = await browser.newContext()
  const reports: string[] = []
  await context.exposeBinding('reportBreach', (_, breach: string) => void reports.push(breach))
  await context.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI, documentURI }) => {
      Reflect.get(window, 'reportBreach')(`${documentURI}: ${violatedDirective} ${blockedURI}`)
    })
  })
  const page = await context.newPage()
  page.on('pageerror', (error) => reports.push(`thrown: ${error.message}`))
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) reports.push(`${message.type()}: ${message.text()}`)
  })
  return {
    open: async (url) => void (await page.goto(url)),
    resize: (width, height) => page.setViewportSize({ width, height }),
    expectCount: (role, name, count) => expect(page.getByRole(role, { name, exact: true })).toHaveCount(count),
    expectText: (text) => expect(page.locator('body')).toContainText(text),
    click: (role, name) => page.getByRole(role, { name, exact: true }).click(),
    type: (label, text) => page.getByLabel(label, { exact: true }).pressSequentially(text),
    press: (key) => page.keyboard.press(key),
    read: (script) => page.evaluate(script),
    reports: async () => reports,
    close: () => browser.close(),
  }
}
