import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { describe, expect, test, vi } from 'vitest'
import { buildHost, buildRoomUser, call, PASSWORD } from '../../../test/factories/accounts.ts'
import { openPage, press } from '../../../test/pages/page.tsx'
import { buildZoomHost, setupWithZoom } from '../../../test/zoom/emulated-zoom.ts'

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

  test('counts again by itself who is online, and claims nothing while the server does not answer', async () => {
    const { change, refuse } = openPage(server, '/host/dashboard', { ...(await buildHost(server)), role: 'host' })
    await screen.findByText('Total Users')
    change(/^\/host\/dashboard$/, { users: { total: 40, online: 36 } })
    await screen.findByText(/^36 users are connected\./)
    refuse('GET', /^\/host\/dashboard$/)
    vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 10_000)
    await screen.findByText('Out of date')
    expect(screen.queryByText(/are connected/)).toBeNull()
  })

  test('warns of a full storage once it fills, and no more once there is room, while it stays open', async () => {
    const host = await buildHost(server)
    openPage(server, '/host/dashboard', { ...host, role: 'host' })
    const use = (storage_used_bytes: number) =>
      server.deps.db.updateTable('hosts').set({ storage_used_bytes }).where('id', '=', host.id).execute()
    await screen.findByText('5 of 5 GB left')
    await use(5 * 1024 ** 3)
    await screen.findByText('The storage is full')
    await use(0)
    await screen.findByText('5 of 5 GB left')
    expect(screen.queryByText('The storage is full')).toBeNull()
  })

  test('separates the thousands of what it counts', async () => {
    const { change } = openPage(server, '/host/dashboard', { ...(await buildHost(server)), role: 'host' })
    change(/^\/host\/dashboard$/, { users: { total: 5000, online: 1234 } })
    await screen.findByText('5,000')
    screen.getByText('1,234')
  })

  test('shows users per day and over the last meeting once a meeting has run, each with its table', async () => {
    const host = await buildZoomHost(server)
    const { user, change, refuse } = openPage(server, '/host/dashboard', { ...host, role: 'host' })
    const stop = refuse('GET', /^\/host\/dashboard\/charts$/)
    await screen.findByText('Total Users')
    expect(screen.queryByText('Loading charts...')).toBeNull()
    change(/^\/host\/dashboard$/, { first_steps: null })
    await screen.findByText('Failed to load the charts')
    const at = '2026-11-20T10:00:00.000Z'
    change(/^\/host\/dashboard\/charts$/, {
      days: [
        { day: '2026-11-19', users: 3 },
        { day: '2026-11-20', users: 7 },
      ],
      last_meeting: {
        ...{ id: 'abc==', started_at: at, ended_at: '2026-11-20T10:02:00.000Z' },
        presence: {
          ...{ came: 7, most: 5, most_at: at, step_seconds: 60 },
          points: [{ at, present: 5, joined: 7, left: 2 }],
        },
      },
    })
    stop()
    await press(user, 'Try again')
    await screen.findByText(/^Users came on 2 days of the last 4 weeks; most on Fri,? 20 Nov \(7\)\./)
    expect(screen.getByRole('link', { name: 'See all charts' }).getAttribute('href')).toBe(
      '/host/attendance?show=charts',
    )
    screen.getByText(/^7 users came; most were there at \d\d:\d\d \(5\)\./)
    await press(user, 'Table of Users over the last meeting')
    const table = await screen.findByRole('table', { name: 'Users over the last meeting' })
    expect(within(table).getAllByRole('row')).toHaveLength(2)
  })

  test('says so where no one came, and no meeting has ended', async () => {
    const { change } = openPage(server, '/host/dashboard', { ...(await buildHost(server)), role: 'host' })
    change(/^\/host\/dashboard$/, { first_steps: null })
    await screen.findByText(/^No one came in the last 4 weeks\./)
    screen.getByText('No meeting has ended yet.')
  })

  test('shows a new host three steps, each with its button, until its first meeting has run', async () => {
    const host = await buildZoomHost(server)
    const open = () => openPage(server, '/host/dashboard', { ...host, role: 'host' })
    const steps = async () => {
      const list = within(await screen.findByRole('region', { name: 'Your first meeting' })).getAllByRole('listitem')
      return list.map((item) => [item.dataset.state, item.querySelector('a, button')?.textContent])
    }
    /** Polls, since the room may load after the steps. */
    const expectSteps = (wanted: unknown[]) => waitFor(async () => expect(await steps()).toEqual(wanted))
    open()
    await expectSteps([
      ['next', 'Add users'],
      ['later', undefined],
      ['later', 'Start meeting'],
    ])
    cleanup()

    const user = await buildRoomUser(server, host)
    open()
    await expectSteps([
      ['done', undefined],
      ['next', 'Copy sign-in details'],
      ['later', 'Start meeting'],
    ])
    const link = screen.getByRole('link', { name: 'Copy sign-in details' })
    expect(link.getAttribute('href')).toBe('/host/users?show=never-signed-in')
    cleanup()

    await call(server, 'POST', `/host/users/${user.id}/credentials`, { as: host })
    open()
    expect((await steps()).map(([state]) => state)).toEqual(['done', 'done', 'next'])
    cleanup()

    const { db } = server.deps
    const { id } = await db.selectFrom('rooms').select('id').where('host_id', '=', host.id).executeTakeFirstOrThrow()
    const sitting = {
      meeting_id: host.rooms[0]?.zoom_meeting_id ?? '',
      meeting_uuid: 'first==',
      began_at: new Date(),
      live_reported_at: new Date(),
    }
    await db
      .insertInto('sittings')
      .values({ ...sitting, room_id: id, is_live: true, started_at: new Date() })
      .execute()
    open()
    await screen.findByText(/^Running for/)
    await screen.findByText('Total Users')
    await waitFor(() => expect(screen.queryByText('Your first meeting')).toBeNull())
    expect(screen.queryByText('Ready to go live?')).toBeNull()
    await screen.findByRole('heading', { name: 'Needs attention' })
  })

  test('tells a host without Zoom what is missing, and its numbers lead to their pages', async () => {
    const { user } = openPage(server, '/host/dashboard', { ...(await buildHost(server)), role: 'host' })
    await screen.findByText('Zoom is not connected to your room')
    await screen.findByText('You start it here once Zoom is connected to your room.')
    const card = (name: RegExp) => screen.getByRole('link', { name }).getAttribute('href')
    expect([card(/^Total Users/), card(/^Online Users/), card(/^Total Rooms/)]).toEqual([
      '/host/users',
      '/host/online',
      '/host/rooms',
    ])
    await user.click(screen.getByRole('link', { name: /^Total Rooms/ }))
    await screen.findByRole('heading', { name: 'Rooms Master' })
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
