import { http } from '../server-process.ts'
import { FAILED_CALL } from './support/console-errors.ts'
import { actOnHost, openListOf } from './support/host-list.ts'
import { hostNamed, uniqueName } from './support/hosts.ts'
import { expect, test } from './support/test.ts'
import { control } from './support/zoom.ts'
import { addZoomHost } from './support/zoom-host.ts'
import { answerZoom, openAddForm, openZoomWindow } from './support/zoom-window.ts'

/** Shorter than a form waits by itself, and longer than a busy machine takes for what is no test of it. */
const WAIT_SECONDS = 240
test.use({ serverEnv: { ZOOM_CONNECT_SECONDS: String(WAIT_SECONDS) } })

const CONNECTED = 'Zoom connected! You can now create the host account.'
const emailOf = (name: string) => `${uniqueName(name)}@eveningprayer.example`

test('the form shows each failure of connecting Zoom', async ({ masterPage: page, server, consoleErrors }) => {
  consoleErrors.allow(FAILED_CALL)
  const email = emailOf('grace')
  const form = await openAddForm(page, server)
  const says = (text: string) => expect(form.getByText(text)).toBeVisible()
  await form.getByLabel('Email').fill(email)
  const guide = form.getByRole('link', { name: 'How to set up Zoom' })
  await expect(guide).toHaveAttribute('href', `${server.public_url}/documentation#zoom-setup`)

  await answerZoom(await openZoomWindow(page), email, 'Deny')
  await says('OAuth failed: Zoom access was denied. Please try again and ensure you grant the necessary permissions.')

  await answerZoom(await openZoomWindow(page), emailOf('somebody-else'), 'Allow')
  await says(
    'OAuth failed: The Zoom account email does not match the expected email address. Please ensure you are using the correct Zoom account.',
  )

  await (await openZoomWindow(page)).close()
  await says('The Zoom window was closed before Zoom was connected.')

  const opened = page.waitForEvent('popup')
  await page.route(
    '**/api/oauth/url?*',
    async (route) => {
      await opened
      await route.abort()
    },
    { times: 1 },
  )
  const unused = await openZoomWindow(page)
  await says('Zoom OAuth Error: Failed to start Zoom integration')
  await expect.poll(() => unused.isClosed()).toBe(true)

  const cancelled = await openZoomWindow(page)
  await form.getByRole('button', { name: 'Cancel connecting' }).click()
  await expect.poll(() => cancelled.isClosed()).toBe(true)
  await says('Optional now. It can be connected later too.')

  await page.evaluate(() => Object.assign(window, { open: () => null }))
  await form.getByRole('button', { name: 'Connect Zoom' }).click()
  await says('The browser blocked the Zoom window. Allow pop-up windows for this site, then try again.')
})

test('a form waits for Zoom as long as the server’s settings say, then closes the window', async ({
  masterPage: page,
  server,
}) => {
  await page.clock.install()
  const form = await openAddForm(page, server)
  await form.getByLabel('Email').fill(emailOf('grace'))
  const popup = await openZoomWindow(page)
  await expect(popup.getByRole('button', { name: 'Allow' })).toBeVisible()
  await page.clock.fastForward(WAIT_SECONDS * 1000)
  await expect(form.getByText('OAuth timeout - please try again')).toBeVisible()
  await expect.poll(() => popup.isClosed()).toBe(true)
})

test('a popup that lost its opener and was closed is resolved by the server', async ({ masterPage: page, server }) => {
  const email = emailOf('grace')
  const form = await openAddForm(page, server)
  await form.getByLabel('Email').fill(email)
  const popup = await openZoomWindow(page)
  // Neither of its two voices reaches the form.
  await popup.addInitScript(() => {
    Object.defineProperty(window, 'opener', { value: null })
    Object.assign(window, {
      BroadcastChannel: class {
        postMessage() {}
        close() {}
        addEventListener() {}
      },
    })
  })
  await answerZoom(popup, email, 'Allow')
  await expect(form.getByText(CONNECTED)).toBeVisible()
})

test('an account that one room uses already cannot be connected to another', async ({ masterPage: page, server }) => {
  const { email } = await addZoomHost(server)
  const form = await openAddForm(page, server)
  await form.getByLabel('Email').fill(email)
  await answerZoom(await openZoomWindow(page), email, 'Allow')
  await expect(form.getByText(/^OAuth failed: This Zoom account is connected to another host already/)).toBeVisible()
})

test('Edit Host connects and disconnects Zoom', async ({ masterPage: page, server, host }) => {
  const email = emailOf('grace')
  const form = page.getByRole('dialog', { name: 'Edit Host' })
  const save = form.getByRole('button', { name: 'Save changes' })

  await actOnHost(page, server, host, 'Edit')
  await form.getByLabel('Zoom email').fill(email)
  await save.click()
  await expect(form.getByText('Press Connect Zoom to use this account, or leave this blank')).toBeVisible()
  await answerZoom(await openZoomWindow(page), email, 'Allow')
  await expect(form.getByText('Zoom connected! You can now continue.')).toBeVisible()
  await save.click()
  await expect(form).toHaveCount(0) // saved
  const connected = { zoom_status: 'connected', zoom_user_email: email }
  expect(await hostNamed(server, host.username)).toMatchObject(connected)

  await actOnHost(page, server, host, 'Edit')
  await form.getByRole('button', { name: 'Disconnect' }).click()
  await expect(form.getByText('The connection is ended when you save.')).toBeVisible()
  expect(await hostNamed(server, host.username)).toMatchObject(connected) // until it is saved
  await save.click()
  await expect(form).toHaveCount(0) // saved
  const givenUp = { zoom_status: 'not_connected', zoom_user_email: null }
  expect(await hostNamed(server, host.username)).toMatchObject(givenUp)
})

test('the filter finds a host that must reconnect, and its form reconnects it', async ({
  masterPage: page,
  server,
  master,
}) => {
  const host = await addZoomHost(server)
  const { id, email, username } = host
  await control(server, '/tokens/expire', { email, refresh: true })
  const body = { room_name: 'Trading room' }
  await http(server, 'PUT', `/admin/hosts/${id}`, { token: master.token, body })
  expect(await hostNamed(server, username)).toMatchObject({ zoom_status: 'reconnect_needed' })

  await openListOf(page, server, host, 'reconnect')
  await expect(page.getByRole('row', { name: username }).getByText('Reconnect needed')).toBeVisible()
  await page.getByRole('button', { name: `Edit ${username}`, exact: true }).click()
  const form = page.getByRole('dialog', { name: 'Edit Host' })
  await expect(form.getByText(`Zoom no longer accepts the connection of ${email}. Connect it again.`)).toBeVisible()
  await answerZoom(await openZoomWindow(page, 'Reconnect Zoom'), email, 'Allow')
  await expect(form.getByText('Zoom connected! You can now continue.')).toBeVisible()
  await form.getByRole('button', { name: 'Cancel' }).click()
  expect(await hostNamed(server, username)).toMatchObject({ zoom_status: 'connected' }) // the consent itself has done it
})
