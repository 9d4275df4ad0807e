import { screen, within } from '@testing-library/react'
import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { buildHost, buildRoomUser, type TestHost } from '../../../../test/factories/accounts.ts'
import { expectToast, fill, openPage, press, savedCsv } from '../../../../test/pages/page.tsx'
import { setup } from '../../../../test/servers/setup.ts'

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE

const server = await setup()
let host: TestHost
beforeEach(async () => {
  host = await buildHost(server)
})
const openCharts = () => openPage(server, '/host/attendance?show=charts', { ...host, role: 'host' })

/** Adds a user who came on that day at noon, for these minutes. */
async function addVisitor(username: string, day: string, minutes: number) {
  const { id } = await buildRoomUser(server, host, { username })
  const joined_at = new Date(`${day}T12:00:00`)
  await sql`insert into stays (room_id, room_user_id, user_id, username, joined_at, left_at)
    select room_id, id, user_id, username, ${joined_at}, ${new Date(joined_at.getTime() + minutes * MINUTE)}
    from room_users where id = ${id}`.execute(server.deps.db)
}

const card = (name: string) => screen.findByRole('region', { name })
async function rowsOf(name: string) {
  const table = within(await screen.findByRole('table', { name }))
  return table.getAllByRole('row').map((row) => [...row.children].map(({ textContent }) => textContent).join('|'))
}

describe('the charts of attendance', () => {
  test('say in words what they show, and have it as tables and files', async () => {
    const day = new Date(Date.now() - 3 * DAY).toISOString().slice(0, 10)
    await addVisitor('amina', day, 2)
    await addVisitor('bela', day, 4)
    await addVisitor('chika', day, 50)
    const { user } = openCharts()
    fill(await screen.findByLabelText('First day'), day)
    fill(screen.getByLabelText('Last day'), day)
    await screen.findByText('3 came; most were there at 12:00 (3).')
    await press(user, 'Table of Users over time')
    const steps = await rowsOf('Users over time')
    expect(steps.slice(0, 6)).toEqual([
      'From|Present|Joined|Left',
      '12:00|3|3|0',
      '12:01|3|0|0',
      '12:02|3|0|1',
      '12:03|2|0|0',
      '12:04|2|0|1',
    ])
    expect(steps).toHaveLength(51)
    await press(user, 'CSV of Users over time')
    expect((await savedCsv()).lines.slice(0, 2)).toEqual([
      'time,present,joined,left,time_zone',
      expect.stringMatching(/T12:00:00.*,3,3,0,/),
    ])

    await press(user, 'Table of Users per day')
    expect(await rowsOf('Users per day')).toEqual(['Day|Users', expect.stringMatching(/\|3$/)])
    expect((await card('Users per day')).textContent).toMatch(/came on 1 of \d+ days .*most came on .* \(3\)\./)

    await screen.findByText('Half of the 3 visits lasted 4m or longer.')
    await press(user, 'Table of Length of visits')
    expect((await rowsOf('Length of visits')).filter((row) => !row.endsWith('|0|0%'))).toEqual([
      'Length|Visits|Share',
      'under 5 min|2|67%',
      '45–60 min|1|33%',
    ])

    await screen.findByText(/^3 users came for the first time/)
    expect((await rowsOf('First time here')).map((row) => row.split('|')[0])).toEqual([
      'Username',
      'amina',
      'bela',
      'chika',
    ])
    await screen.findByText('It takes four meetings that anyone attended; so far there were 0.')
  })

  test('show who spoke and for how long, and gather those who spoke least', async () => {
    const day = new Date(Date.now() - 3 * DAY).toISOString().slice(0, 10)
    const began_at = new Date(`${day}T12:00:00`)
    for (let one = 1; one <= 13; one++) {
      const { id } = await buildRoomUser(server, host, { username: `user-${one}` })
      await sql`insert into speeches (room_id, room_user_id, began_at, ended_at)
        select room_id, id, ${began_at}, ${new Date(began_at.getTime() + one * 10_000)}
        from room_users where id = ${id}`.execute(server.deps.db)
    }
    const { user } = openCharts()
    fill(await screen.findByLabelText('First day'), day)
    const { textContent } = await screen.findByText(/^13 users spoke for 15:10 in all/)
    expect(textContent).toMatch(/user-13 spoke the longest \(2:10\)\.$/)
    const bars = (await card('Time spoken')).querySelector('[aria-hidden="true"]:has(rect)')?.textContent
    expect(bars).toMatch(/^user-132:10.*user-40:403 others1:00$/)
    await press(user, 'Table of Time spoken')
    const rows = await rowsOf('Time spoken')
    expect(rows.slice(0, 2)).toEqual(['Username|Time spoken|Share', 'user-13|2:10|14%'])
    expect(rows).toHaveLength(14)
    await press(user, 'CSV of Time spoken')
    expect((await savedCsv()).name).toMatch(/^speakers-/)
  })

  test('say that there is nothing, or too much', async () => {
    const { user } = openCharts()
    expect((await card('Users over time')).textContent).toMatch(/No one came\.$/)
    expect((await card('Users per day')).textContent).toMatch(/No one came since .*\.$/)
    expect((await card('Length of visits')).textContent).toMatch(/There were no visits\.$/)
    expect((await card('Time spoken')).textContent).toMatch(/No one spoke\.$/)
    expect((await card('First time here')).textContent).toMatch(/No one came\.$/)
    await press(user, 'Last 7 days')
    await screen.findByText('Choose a meeting, or two days at most, to see this.')
    await user.click(screen.getByRole('radio', { name: 'Lists' }))
    await screen.findByText('No one attended on these days')
  })

  test('name 200 users at most, and say where the others are', async () => {
    const joined_at = new Date(Date.now() - 30 * MINUTE)
    await sql`insert into stays (room_id, room_user_id, user_id, username, joined_at, left_at)
      select rooms.id, gen_random_uuid(), 'U' || number, 'user-' || number, ${joined_at}, now()
      from rooms, generate_series(1, 203) as number where host_id = ${host.id}`.execute(server.deps.db)
    const { user } = openCharts()
    await press(user, 'Last 7 days') // whichever day half an hour ago was
    await screen.findByText(/^203 users came for the first time/)
    expect(await rowsOf('First time here')).toHaveLength(1 + 200)
    screen.getByText('3 more are in the CSV file.')
  })

  test('give way to the list of who is missing', async () => {
    await buildRoomUser(server, host, { username: 'amina' })
    const { user } = openCharts()
    await press(user, 'Show who is missing')
    within(await screen.findByRole('table', { name: 'Missing now' })).getByRole('row', { name: /amina/ })
  })

  test('list who missed the last four meetings', async () => {
    const { id: room_id } = await server.deps.db
      .selectFrom('rooms')
      .select('id')
      .where('host_id', '=', host.id)
      .executeTakeFirstOrThrow()
    for (const days of [1, 2, 3, 4]) {
      const began_at = new Date(Date.now() - days * DAY)
      const live_reported_at = new Date(began_at.getTime() + 60 * MINUTE)
      const meeting = { room_id, meeting_uuid: `m${days}`, meeting_id: '1', began_at, is_live: false, live_reported_at }
      await server.deps.db.insertInto('sittings').values(meeting).execute()
      await sql`insert into stays (room_id, room_user_id, user_id, username, joined_at, left_at)
        values (${room_id}, gen_random_uuid(), '', 'erased', ${began_at}, ${live_reported_at})`.execute(server.deps.db)
    }
    await buildRoomUser(server, host, { username: 'dina' })
    const created_at = new Date(Date.now() - 9 * DAY)
    await server.deps.db.updateTable('room_users').set({ created_at }).where('room_id', '=', room_id).execute()
    openCharts()
    await screen.findByText('One user came to none of the last four meetings that anyone attended.')
    expect(await rowsOf('Missed the last four meetings')).toEqual(['Username|Last arrived', 'dina|Never'])
  })

  test('show a failure of theirs or of a file, and can be retried', async () => {
    const { user, refuse } = openCharts()
    const stop = refuse('GET', /^\/host\/attendance\/charts/)
    await screen.findByText('Failed to load the charts')
    stop()
    await addVisitor('amina', new Date(Date.now() - DAY).toISOString().slice(0, 10), 5)
    await press(user, 'Try again')
    await press(user, 'Yesterday')
    await press(user, 'CSV of Users per day')
    expect((await savedCsv()).name).toMatch(/^days-/)
    refuse('GET', /^\/host\/attendance$/)
    await press(user, 'CSV of Length of visits')
    await expectToast('The file could not be fetched. Please try again.')
  })
})
