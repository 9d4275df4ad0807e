import { screen, waitFor, within } from '@testing-library/react'
import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { buildHost, buildPhone, buildRoomUser, call, type TestHost } from '../../../test/factories/accounts.ts'
import { expectToast, fill, openPage, press, savedCsv } from '../../../test/pages/page.tsx'
import { setup } from '../../../test/servers/setup.ts'

const DAY = 24 * 3_600_000

const server = await setup()
let host: TestHost
beforeEach(async () => {
  host = await buildHost(server)
})
const openAttendance = () => openPage(server, '/host/attendance', { ...host, role: 'host' })

describe('Attendance', () => {
  test('shows and exports who attended, who was absent, and each visit', async () => {
    const names = ['amina', 'bela', 'chika']
    for (const [index, username] of names.entries()) {
      const person = await buildRoomUser(server, host, { username, user_id: `U-${index}`, reference: `=ref ${index}` })
      if (username === 'chika') continue
      const phone = await buildPhone(server, host, person)
      if (username === 'bela') await call(server, 'POST', '/mobile/logout', { as: phone })
    }
    const attended = async () => (await call(server, 'GET', '/host/attendance', { as: host })).body.data.attendance
    await expect.poll(attended).toMatchObject([{ last_left: null }, { last_left: expect.any(String) }])
    const { user } = openAttendance()
    const row = (name: string) => screen.findByRole('row', { name: new RegExp(name) })
    const isPressed = async (name: string) =>
      (await screen.findByRole('button', { name })).getAttribute('aria-pressed') === 'true'
    const exported = async () => {
      await press(user, 'Download CSV')
      return savedCsv()
    }
    expect(await isPressed('Today')).toBe(true)
    await press(user, 'Last 7 days') // the day may end while this runs
    expect(await isPressed('Last 7 days')).toBe(true)
    await screen.findByRole('button', { name: /^Attended\s*2$/ })
    expect((await row('amina')).textContent).toContain('Still here')
    expect((await row('bela')).textContent).not.toContain('Still here')
    const users = await exported()
    expect(users.name).toMatch(/^attendance-.*\.csv$/)
    expect(users.lines.map((line) => line.split(',').slice(0, 3).join())).toEqual([
      'user_id,username,reference',
      "U-0,amina,'=ref 0",
      "U-1,bela,'=ref 1",
      "U-2,chika,'=ref 2",
    ])

    await press(user, /^Absent\s*1$/)
    await row('chika')
    await press(user, /^Visits\s*2$/)
    within(await screen.findByRole('table', { name: 'Visits' })).getByRole('row', { name: /bela/ })
    expect((await exported()).name).toMatch(/^stays-.*\.csv$/)
    fill(screen.getByLabelText('Filter attendance'), 'unknown')
    await screen.findByText('No one here matches “unknown”.')
  })

  test('shows and exports who spoke and for how long, the longest first', async () => {
    const began_at = new Date(Date.now() - DAY)
    for (const [index, username] of ['amina', 'bela', 'chika'].entries()) {
      const { id } = await buildRoomUser(server, host, { username, user_id: `U-${index}` })
      await sql`
        with one as (select room_id, id, ${began_at}::timestamptz as began from room_users where id = ${id}), stay as (
          insert into stays (room_id, room_user_id, user_id, username, joined_at, left_at)
          select room_id, id, '', '', began, began + interval '1 hour' from one
        )
        insert into speeches (room_id, room_user_id, began_at, ended_at)
        select room_id, id, began, began + interval '50 seconds' * ${index} from one where ${index} > 0`.execute(
        server.deps.db,
      )
    }
    const { user } = openAttendance()
    await press(user, 'Last 7 days')
    await press(user, /^Spoke\s*2$/)
    const rows = within(await screen.findByRole('table', { name: 'Spoke' }))
      .getAllByRole('row')
      .slice(1)
    expect(rows.map(({ textContent }) => textContent)).toEqual([
      expect.stringMatching(/^chika.*1:40Share67%$/),
      expect.stringMatching(/^bela.*0:50Share33%$/),
    ])
    await screen.findByText(/^As the phones in the app reported it/)
    fill(screen.getByLabelText('Filter attendance'), 'bela')
    await waitFor(() => expect(screen.queryByRole('row', { name: /chika/ })).toBeNull())
    screen.getByRole('row', { name: /bela.*33%/ }) // of all, also of those who are not shown
    await press(user, 'Download CSV')
    const { name, lines } = await savedCsv()
    expect(name).toMatch(/^speakers-.*\.csv$/)
    expect(lines).toEqual(['user_id,username,reference,spoke_seconds', 'U-2,chika,,100', 'U-1,bela,,50'])
    await press(user, 'Yesterday')
    await press(user, 'Today')
    await screen.findByText('No one spoke on these days')
  })

  test('counts who is here and lists who is missing, while it changes', async () => {
    const [amina] = [
      await buildRoomUser(server, host, { username: 'amina' }),
      await buildRoomUser(server, host, { username: 'bela' }),
      await buildRoomUser(server, host, { username: 'chika' }),
    ]
    const gone = await buildRoomUser(server, host, { username: 'deactivated' })
    await call(server, 'POST', `/host/users/${gone.id}/deactivate`, { as: host })
    const { user } = openAttendance()
    await screen.findByText('0 of 3 are here; 3 are missing')
    await buildPhone(server, host, amina)
    await screen.findByText('1 of 3 is here; 2 are missing')
    await press(user, 'Show who is missing')
    const missing = within(await screen.findByRole('table', { name: 'Missing now' }))
    missing.getByRole('row', { name: /bela.*Never signed in/ })
    expect(missing.getAllByRole('row')).toHaveLength(3) // including the header
    await press(user, 'Yesterday')
    await waitFor(() => expect(screen.queryByText(/is here/)).toBeNull())
    await screen.findByRole('button', { name: 'Absent 0' }) // the users did not exist then
  })

  test('shows one meeting of the days, and says where there is none', async () => {
    const { user } = openAttendance()
    const picker = await screen.findByLabelText('Meeting')
    await screen.findByText('By day only: this room has no Zoom meeting.')
    expect(picker).toHaveProperty('disabled', true)

    const { id: room_id } = await server.deps.db
      .updateTable('rooms')
      .set({ zoom_meeting_id: '92707706511' })
      .where('host_id', '=', host.id)
      .returning('id')
      .executeTakeFirstOrThrow()
    await buildRoomUser(server, host, { username: 'amina' })
    const began_at = new Date(Date.now() - 40 * DAY)
    const ended = new Date(began_at.getTime() + 68 * 60_000)
    await server.deps.db
      .insertInto('sittings')
      .values({
        room_id,
        meeting_uuid: 'm1',
        meeting_id: '92707706511',
        began_at,
        is_live: false,
        live_reported_at: ended,
      })
      .execute()
    await press(user, 'Last 30 days')
    await screen.findByText('No meeting took place on these days.')
    const dayBefore = new Date(began_at.getTime() - DAY).toISOString().slice(0, 10) // the day before in any time zone
    fill(screen.getByLabelText('First day'), dayBefore)
    const option = await screen.findByRole('option', { name: /\(1h 8m\)$/ })
    await user.selectOptions(picker, option)
    await screen.findByText('No one attended this meeting')
    const report = screen.getByRole('link', { name: 'See its report' })
    expect(report.getAttribute('href')).toBe('/host/meetings?meeting=m1')
    await press(user, 'Download CSV')
    expect((await savedCsv()).name).toMatch(/^attendance-.*T\d{4}-to-.*T\d{4}\.csv$/)
    await press(user, 'Today')
    expect(picker).toHaveProperty('value', '')
  })

  test('is found by the search and in the menu', async () => {
    const { user } = openPage(server, '/host/app-info', { ...host, role: 'host' })
    const menu = within(await screen.findByRole('navigation', { name: 'Admin Panel' }))
    expect(menu.getByRole('link', { name: 'Attendance' }).getAttribute('href')).toBe('/host/attendance')
    await press(user, /^Search/)
    fill(await screen.findByRole('combobox', { name: /Go to a page/ }), 'attend')
    await user.click(await screen.findByRole('option', { name: 'Attendance' }))
    await screen.findByRole('heading', { name: 'Attendance', level: 1 })
  })

  test('refuses days that are not in order, and shows others', async () => {
    openAttendance()
    const days = { first: await screen.findByLabelText('First day'), last: screen.getByLabelText('Last day') }
    fill(days.first, '2999-01-01')
    await screen.findByText('The last day must not be before the first')
    expect(screen.getByRole('button', { name: 'Download CSV' })).toHaveProperty('disabled', true)
    fill(days.first, '2020-01-01')
    fill(days.last, '2020-01-02')
    await screen.findByText('No one attended on these days')
  })

  test('shows a failure of the list or its file, and can be retried', async () => {
    const { user, refuse } = openAttendance()
    const stop = refuse('GET', /^\/host\/attendance$/)
    await screen.findByText('Failed to load attendance')
    stop()
    await press(user, 'Try again')
    await screen.findByRole('button', { name: /^Attended\s*0$/ })
    refuse('GET', /^\/host\/attendance$/)
    await press(user, 'Download CSV')
    await expectToast('The file could not be fetched. Please try again.')
    await waitFor(() => screen.getByRole('button', { name: /^Attended\s*0$/ }))
  })
})
