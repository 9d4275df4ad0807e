import { expect, test } from './support/test.ts'

test("the API's documentation shows, breaks no rule of its policy and requests nothing from elsewhere", async ({
  page,
  server,
  consoleErrors,
}) => {
  const { host, origin } = new URL(server.public_url)
  page.on('request', (request) => {
    const { protocol, host: asked } = new URL(request.url())
    if (protocol.startsWith('http') && asked !== host) consoleErrors.add(`request to ${request.url()}`)
  })
  page.on('console', (message) => {
    if (message.type() === 'warning') consoleErrors.add(`console: ${message.text()}`)
  })
  await page.addInitScript(() => {
    addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
      console.error(`policy: ${violatedDirective} ${blockedURI}`),
    )
  })

  await page.goto(`${origin}/api/docs`)
  await expect(page.getByRole('heading', { name: 'Parley', exact: true })).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Sign a host in' })).toBeVisible()
  await page.goto(`${origin}/api/docs/#tag/live-control/GET/api/mobile/events/{ticket}`)
  await expect(page.getByRole('heading', { name: 'Stream the events of the room' })).toBeVisible()
})
