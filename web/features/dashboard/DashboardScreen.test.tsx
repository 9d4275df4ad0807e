import { fireEvent, screen, waitFor } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import { buildZoomHost, setupWithZoom } from '../../../test/emulated-zoom.ts'
import { buildHost, buildRoomUser, call, PASSWORD } from '../../../test/factories.ts'
import { openPage, press } from '../../../test/page.tsx'

const server = await setupWithZoom()

describe('Dashboard', () => {
  test('shows a failure to load, and can be retried', async () => {
    const { user, refuse } = openPage(server, '/host/dashboard', { ...(await buildHost(server)), role: 'host' })
    const stop = refuse('GET', /^\/host\/dashboard$/)
    await screen.findByText('Loading dashboard data...')
    await screen.findByRole('heading', { name: 'Error Loading Dashboard' })
    screen.getByText('Failed to load dashboard data. Please try refreshing the page.')
    stop()
    await press(user, 'Try again')
    await screen.findByText('Total Users')
  })

  test('is fetched again when its window gets the focus, as one of two windows side by side', async () => {
    const { calls } = openPage(server, '/host/dashboard', { ...(await buildHost(server)), role: 'host' })
    await screen.findByText('Total Users')
    const fetched = () => calls.filter((made) => made === 'GET /host/dashboard').length
    const before = fetched()
    fireEvent.focus(window)
    await waitFor(() => expect(fetched()).toBe(before + 1))
  })

  test('lists what a meeting needs, and links to Attendance and the other pages', async () => {
    const host = await buildZoomHost(server)
    for (const app_version of ['2.4.1', '2.4.0']) {
      const { username } = await buildRoomUser(server, host)
      const phone = { device_id: `phone of ${username}`, device_model: 'Pixel', platform: 'android', app_version }
      const body = { host_id: host.user_id, username, password: PASSWORD, ...phone }
      expect(await call(server, 'POST', '/mobile/login', { body })).toMatchObject({ status: 200 })
    }
    const { user } = openPage(server, '/host/dashboard', { ...host, role: 'host' })
    const follow = async (name: string) => {
      const [link] = await screen.findAllByRole('link', { name })
      if (link) await user.click(link)
    }
    await screen.findByText('Ready to go live?')
    await screen.findByText('Zoom is connected')
    await screen.findByText('1 phone has an older app')
    await follow('See who attended')
    await screen.findByRole('heading', { name: 'Attendance' })
    await follow('Users Master')
    await screen.findByRole('heading', { name: 'Users Master' })
    expect(window.location.pathname).toBe('/host/users')
  })
})
