import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { launchChromium } from '../../test/e2e/browser.ts'
import { freePort } from '../../test/free-port.ts'
import { startTestApp, type TestServer } from '../../test/start.ts'

let server: TestServer
let browser: Browser
let port: number
beforeAll(async () => {
  port = await freePort()
  server = await startTestApp({ config: { PORT: port, PUBLIC_URL: `http://localhost:${port}` } })
  await server.app.listen({ port, host: '127.0.0.1' })
  browser = await launchChromium()
})
afterAll(async () => {
  await browser?.close()
  await server.close()
})

test.each(['localhost', 'host.localhost', 'master.localhost'])(
  'SEC-40 the documentation on %s shows, breaks no rule of its policy and asks no other server for anything',
  async (name) => {
    const context = await browser.newContext()
    const page = await context.newPage()
    const asked: string[] = []
    const complaints: string[] = []
    page.on('request', (request) => asked.push(request.url()))
    page.on('pageerror', (error) => complaints.push(String(error)))
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) complaints.push(message.text())
    })
    await page.addInitScript(() => {
      addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
        console.error(`policy: ${violatedDirective} ${blockedURI}`),
      )
    })

    await page.goto(`http://${name}:${port}/api/docs`)
    await page.getByRole('heading', { name: 'Parley', exact: true }).waitFor()
    await page.getByRole('heading', { name: 'Sign a host in' }).waitFor()
    await page.goto(`http://${name}:${port}/api/docs/#tag/live-control/GET/api/mobile/events/{ticket}`)
    await page.getByRole('heading', { name: 'Hear what happens in the room' }).waitFor()
    expect(asked.filter((url) => !/^data:|^blob:/.test(url) && new URL(url).host !== `${name}:${port}`)).toEqual([])
    expect(complaints).toEqual([])
    await context.close()
  },
)
