import { fireEvent, screen, waitFor } from '@testing-library/react'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { buildHost, buildMaster, call, type TestHost } from '../../../../test/factories/accounts.ts'
import { fill, inDialog, openPage, passTime, press } from '../../../../test/pages/page.tsx'
import { buildZoomHost, setupWithZoom } from '../../../../test/zoom/emulated-zoom.ts'
import { openZoomWindow } from '../../../../test/zoom/zoom-window.ts'
import { site } from '../../../lib/site.ts'

const server = await setupWithZoom()
const EMAIL = 'grace@eveningprayer.example'
const WAIT_SECONDS = 60 // less than the form's own timeout
const CONNECTED = 'Zoom connected! You can now create the host account.'
let master: Awaited<ReturnType<typeof buildMaster>>
beforeEach(async () => {
  master = await buildMaster(server)
})

const openHosts = (query = '') => openPage(server, `/master/hosts${query}`, { ...master, role: 'master' })
const saved = async ({ id }: TestHost): Promise<unknown> =>
  (await call(server, 'GET', `/admin/hosts/${id}`, { as: master })).body.data

async function openAdd(email = EMAIL) {
  const page = openHosts()
  await press(page.user, 'Add New Host')
  const form = await inDialog('Add New Host Account')
  fill(form.getByLabelText(/^Email/), email)
  const connect = async () => {
    const zoomWindow = openZoomWindow(server)
    await press(page.user, 'Connect Zoom', form)
    return zoomWindow
  }
  return { ...page, form, connect }
}

describe('Connect Zoom in Add New Host', () => {
  test('shows each failure', async () => {
    const { user, form, connect, refuse } = await openAdd()
    const guide = form.getByRole('link', { name: 'How to set up Zoom' })
    expect(guide.getAttribute('href')).toBe('http://localhost:3000/documentation#zoom-setup')

    await (await connect()).answer(EMAIL, 'deny')
    await form.findByText(
      'OAuth failed: Zoom access was denied. Please try again and ensure you grant the necessary permissions.',
    )
    await (await connect()).answer('somebody-else@example.com')
    await form.findByText(
      'OAuth failed: The Zoom account email does not match the expected email address. Please ensure you are using the correct Zoom account.',
    )
    refuse('GET', /^\/oauth\/url$/, { times: 1 })
    const unused = await connect()
    await form.findByText('Zoom OAuth Error: Failed to start Zoom integration')
    expect(unused.closed).toBe(true)

    const cancelled = await connect()
    await press(user, 'Cancel connecting', form)
    expect(cancelled.closed).toBe(true)
    await form.findByText('Optional. You can connect Zoom later.')

    vi.stubGlobal('open', () => null)
    await press(user, 'Connect Zoom', form)
    await form.findByText('The browser blocked the Zoom window. Allow pop-up windows for this site, then try again.')
  })

  test('is not cancelled by the second click of a double click, which finds Cancel in its place', async () => {
    const { form, connect } = await openAdd()
    const zoomWindow = await connect()
    fireEvent.click(await form.findByRole('button', { name: 'Cancel connecting' }), { detail: 2 })
    expect(zoomWindow.closed).toBe(false)
    await zoomWindow.answer(EMAIL)
    await form.findByText(CONNECTED)
  })

  test('reports a window closed before Zoom was connected', async () => {
    const { form, connect } = await openAdd()
    await passTime(5_000, async () => {
      ;(await connect()).closed = true
    })
    await form.findByText('The Zoom window was closed before Zoom was connected.')
  })

  test('asks the server when a closed window could not report', async () => {
    const { form, connect } = await openAdd()
    await passTime(5_000, async () => {
      const zoomWindow = await connect()
      await zoomWindow.consent(EMAIL)
      zoomWindow.closed = true
    })
    await form.findByText(CONNECTED)
  })

  test('waits as long as the server’s settings say, then closes the window', async () => {
    site.zoom_connect_seconds = WAIT_SECONDS
    const { form, connect } = await openAdd()
    let isClosed = () => false
    await passTime(WAIT_SECONDS * 1000, async () => {
      const zoomWindow = await connect()
      isClosed = () => zoomWindow.closed
    })
    await form.findByText('OAuth timeout - please try again')
    expect(isClosed()).toBe(true)
  })

  test('refuses an account that another room uses', async () => {
    const { email } = await buildZoomHost(server)
    const { form, connect } = await openAdd(email)
    await (await connect()).answer(email)
    await form.findByText(/^OAuth failed: This Zoom account is connected to another host already/)
  })
})

describe('Connect Zoom in Edit Host', () => {
  test('connects an account, and disconnects it when the form is saved', async () => {
    const host = await buildHost(server)
    const { user } = openHosts()
    const noForm = () => waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    const open = async () => {
      await press(user, `Edit ${host.username}`)
      return inDialog('Edit Host')
    }
    const form = await open()
    fill(form.getByLabelText('Zoom email'), EMAIL)
    await press(user, 'Save changes', form)
    await form.findByText('Press Connect Zoom to use this account, or leave this blank')
    const zoomWindow = openZoomWindow(server)
    await press(user, 'Connect Zoom', form)
    await zoomWindow.answer(EMAIL)
    await form.findByText('Zoom connected! You can now continue.')
    await press(user, 'Save changes', form)
    await form.findByText('Host updated successfully')
    const connected = { zoom_status: 'connected', zoom_user_email: EMAIL }
    expect(await saved(host)).toMatchObject(connected)
    await user.click(form.getByText('Close'))
    await noForm()

    const again = await open()
    await press(user, 'Disconnect', again)
    await again.findByText('Saving ends the connection.')
    expect(await saved(host)).toMatchObject(connected)
    await press(user, 'Save changes', again)
    await again.findByText('Host updated successfully')
    expect(await saved(host)).toMatchObject({ zoom_status: 'not_connected', zoom_user_email: null })
  })

  test('reconnects a host whose grant has expired, found by the filter', async () => {
    const host = await buildZoomHost(server)
    await server.control('/tokens/expire', { email: host.email, refresh: true })
    const body = { room_name: 'Trading room' }
    await call(server, 'PUT', `/admin/hosts/${host.id}`, { as: master, body })
    const { user } = openHosts('?filter=reconnect')
    await screen.findByText('Reconnect needed')
    await press(user, `Edit ${host.username}`)
    const form = await inDialog('Edit Host')
    form.getByText(`Zoom no longer accepts the connection of ${host.email}. Connect it again.`)
    const zoomWindow = openZoomWindow(server)
    await press(user, 'Reconnect Zoom', form)
    await zoomWindow.answer(host.email)
    await form.findByText('Zoom connected! You can now continue.')
    await press(user, 'Cancel', form)
    expect(await saved(host)).toMatchObject({ zoom_status: 'connected' }) // the consent itself has connected it
  })
})
