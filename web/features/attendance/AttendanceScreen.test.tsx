import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, test } from 'vitest'
import { buildHost, buildPhone, buildRoomUser, call, type TestHost } from '../../../test/factories.ts'
import { expectToast, fill, openPage, press, savedCsv } from '../../../test/page.tsx'
import { setup } from '../../../test/setup.ts'

const server = await setup()
let host: TestHost
beforeEach(async () => {
  host = await buildHost(server)
})
const openAttendance = () => openPage(server, '/host/attendance', { ...host, role: 'host' })

describe('Attendance', () => {
  test('shows and exports who came, who did not, and each visit', async () => {
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
    await screen.findByRole('button', { name: /^Came\s*2$/ })
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

    await press(user, /^Did not come\s*1$/)
    await row('chika')
    await press(user, /^Visits\s*2$/)
    within(await screen.findByRole('table', { name: 'Visits' })).getByRole('row', { name: /bela/ })
    expect((await exported()).name).toMatch(/^stays-.*\.csv$/)
    fill(screen.getByLabelText('Filter attendance'), 'unknown')
    await screen.findByText('No one here matches “unknown”.')
  })

  test('refuses days that are not in order, and shows others', async () => {
    openAttendance()
    const days = { first: await screen.findByLabelText('First day'), last: screen.getByLabelText('Last day') }
    fill(days.first, '2999-01-01')
    await screen.findByText('The last day must not be before the first')
    expect(screen.getByRole('button', { name: 'Download CSV' })).toHaveProperty('disabled', true)
    fill(days.first, '2020-01-01')
    fill(days.last, '2020-01-02')
    await screen.findByText('No one came on these days')
  })

  test('shows a failure of the list or its file, and can be retried', async () => {
    const { user, refuse } = openAttendance()
    const stop = refuse('GET', /^\/host\/attendance$/)
    await screen.findByText('Failed to load attendance')
    stop()
    await press(user, 'Try again')
    await screen.findByRole('button', { name: /^Came\s*0$/ })
    refuse('GET', /^\/host\/attendance$/)
    await press(user, 'Download CSV')
    await expectToast('The file could not be fetched. Please try again.')
    await waitFor(() => screen.getByRole('button', { name: /^Came\s*0$/ }))
  })
})
