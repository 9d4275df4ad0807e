import { cleanup, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { buildHost, buildRoomUser, call, type TestHost } from '../../../test/factories/accounts.ts'
import { expectToast, fill, openPage, press } from '../../../test/pages/page.tsx'
import { setup } from '../../../test/servers/setup.ts'

const HOUR = 3_600_000
const server = await setup()
const { db } = server.deps
let host: TestHost
let room_id: string
beforeEach(async () => {
  host = await buildHost(server)
  const room = await db.selectFrom('rooms').select('id').where('host_id', '=', host.id).executeTakeFirstOrThrow()
  room_id = room.id
})
const open = (address = '/host/meetings') => openPage(server, address, { ...host, role: 'host' })

/** A meeting of an hour, this many hours ago, and who was there from which minute to which. */
async function meet(meeting_uuid: string, hoursAgo: number, visits: [name: string, from: number, to: number][] = []) {
  const began_at = new Date(Date.now() - hoursAgo * HOUR)
  const after = (minutes: number) => new Date(began_at.getTime() + minutes * 60_000)
  await db
    .insertInto('sittings')
    .values({ room_id, meeting_uuid, meeting_id: '1', began_at, is_live: false, live_reported_at: after(60) })
    .execute()
  for (const [username, from, to] of visits) {
    const user = await userOf(username)
    const named = { room_id, room_user_id: user.id, user_id: user.user_id, username }
    await db
      .insertInto('stays')
      .values({ ...named, joined_at: after(from), left_at: after(to) })
      .execute()
    if (username === 'bela') {
      const hand = { room_id, meeting_uuid, room_user_id: user.id, raised_at: after(to - 2), ended_at: after(to) }
      await db.insertInto('raised_hands').values(hand).execute()
    }
    const spoken = { room_id, room_user_id: user.id, began_at: after(from), ended_at: after(from + 1) }
    if (username === 'amina') await db.insertInto('speeches').values(spoken).execute()
  }
}

async function userOf(username: string) {
  const known = await db.selectFrom('room_users').selectAll().where('username', '=', username).executeTakeFirst()
  return known ?? buildRoomUser(server, host, { username })
}

describe('Meetings', () => {
  test('lists meetings and opens one: who came late, who spoke, who was absent', async () => {
    await buildRoomUser(server, host, { username: 'chika' })
    await db
      .updateTable('room_users')
      .set({ created_at: new Date(0) })
      .execute()
    await meet('older', 50)
    await meet('a/b==', 2, [
      ['amina', 0, 60],
      ['bela', 12, 40],
    ])
    const { user } = open()
    const table = await screen.findByRole('table', { name: 'Meetings' })
    const [, newest, older] = within(table).getAllByRole('row')
    expect(
      within(newest ?? table)
        .getAllByRole('cell')
        .map(({ textContent }) => textContent),
    ).toEqual([
      '',
      expect.stringContaining('–'),
      'Length1h 0m',
      'Users2',
      'Most at one time2',
      'Time spoken1:00',
      'Recordings0',
      'Actions taken0',
      'Note–',
    ])
    expect(older?.textContent).toContain('0:00')
    await user.click(within(newest ?? table).getByRole('link'))

    await screen.findByText('2 users came, at most 2 at one time; 1 late, 1 left early.')
    const came = within(screen.getByRole('table', { name: 'Who came' })).getByRole('row', { name: /bela/ })
    expect(came.textContent).toContain('12m late')
    expect(came.textContent).toContain('20m early')
    within(screen.getByRole('table', { name: 'Who spoke' })).getByRole('row', { name: /amina.*1:00.*100%/ })
    within(screen.getByRole('table', { name: 'Hands that were not called' })).getByRole('row', { name: /bela.*2:00/ })
    within(screen.getByRole('table', { name: 'Who was absent' })).getByRole('row', { name: /chika/ })
    screen.getByText('Neither you nor an assistant had to act.')
  })

  test('keeps a note, and shows what another console has saved since before it replaces it', async () => {
    await meet('one', 2)
    const { user } = open('/host/meetings?meeting=one')
    await press(user, 'Add a note')
    fill(screen.getByRole('textbox', { name: 'Note' }), 'About the harvest.')
    await press(user, 'Save note')
    await expectToast('Note saved')
    await screen.findByText('About the harvest.')

    await press(user, 'Edit note')
    fill(screen.getByRole('textbox', { name: 'Note' }), 'Mine')
    await call(server, 'PUT', '/host/meetings/one/note', { as: host, body: { note: 'Theirs' } })
    await press(user, 'Save note')
    await screen.findByText('It is now: “Theirs”')
    const now = performance.now.bind(performance)
    await press(user, 'Replace it with mine') // as it turns into this
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => now() + 1000)
    expect(screen.getByRole('button', { name: 'Replace it with mine' }).getAttribute('aria-busy')).toBeNull()
    await press(user, 'Replace it with mine')
    clock.mockRestore()
    await screen.findByText('Mine')
    expect(await db.selectFrom('sittings').select('note').execute()).toEqual([{ note: 'Mine' }])
    expect(document.activeElement).toBe(await screen.findByRole('button', { name: 'Edit note' }))
  })

  test('shows two meetings side by side, and who came to only one of them', async () => {
    await meet('first', 30, [
      ['amina', 0, 60],
      ['bela', 0, 60],
    ])
    await meet('second', 2, [['amina', 0, 60]])
    const { user } = open()
    const [, ...rows] = within(await screen.findByRole('table', { name: 'Meetings' })).getAllByRole('row')
    for (const row of rows) await user.click(within(row).getAllByRole('checkbox')[0] ?? row)
    await screen.findByText('Two meetings selected')
    await press(user, 'Compare')
    const numbers = await screen.findByRole('table', { name: 'The two meetings' })
    within(numbers).getByRole('row', { name: 'Users 2 1' })
    const only = await screen.findAllByRole('region', { name: /^Only on/ })
    expect(only.map(({ textContent }) => textContent?.includes('bela'))).toEqual([true, false])
    expect(only[1]?.textContent).toContain('All who came were at the other one too')
  })

  test('makes a link to a report, and ends it', async () => {
    await meet('one', 2)
    const { user } = open('/host/meetings?meeting=one')
    await press(user, 'Share by link')
    await screen.findByText(/with the names of your users/)
    await press(user, 'Make link')
    const field = await screen.findByRole('textbox', { name: 'Link' })
    expect(field).toHaveProperty('value', expect.stringMatching(/\/report#[\w-]{43}$/))
    const links = await screen.findByRole('region', { name: 'Open links' })
    within(links)
      .getByRole('button', { name: /^End the link/ })
      .focus()
    await user.keyboard('{Enter}')
    await expectToast('The link has ended')
    await waitFor(() => expect(screen.queryByRole('region', { name: 'Open links' })).toBeNull())
    expect(screen.queryByRole('textbox', { name: 'Link' })).toBeNull()
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Make link' }))
    expect(await db.selectFrom('report_links').selectAll().execute()).toEqual([])
  })

  test('still shows a new link after another one has ended', async () => {
    await meet('one', 2)
    const expires_at = new Date(Date.now() + HOUR)
    await db
      .insertInto('report_links')
      .values({
        ...{ room_id, meeting_uuid: 'one', token_hash: 'former', with_note: false, maker_id: host.id },
        ...{ created_at: new Date(Date.now() - HOUR), expires_at },
      })
      .execute()
    const { user } = open('/host/meetings?meeting=one')
    await press(user, 'Share by link')
    const links = await screen.findByRole('region', { name: 'Open links' })
    await press(user, 'Make link')
    const field = await screen.findByRole('textbox', { name: 'Link' })
    await waitFor(() => expect(within(links).getAllByRole('listitem')).toHaveLength(2))
    const former = within(links).getAllByRole('button')[1]
    former?.focus()
    await user.keyboard('{Enter}')
    await expectToast('The link has ended')
    await waitFor(() => expect(within(links).getAllByRole('listitem')).toHaveLength(1))
    expect(document.activeElement).toBe(within(links).getByRole('button'))
    expect(field).toBe(screen.getByRole('textbox', { name: 'Link' }))
    await user.keyboard('{Enter}')
    await waitFor(() => expect(screen.queryByRole('textbox', { name: 'Link' })).toBeNull())
  })

  test('shows a report to anyone who has its link, without a sign-in', async () => {
    await meet('one', 2, [['amina', 0, 60]])
    const { body } = await call(server, 'POST', '/host/meetings/one/links', { as: host, body: { days: 7 } })
    const { hash } = new URL(body.data.url)
    openPage(server, `/report${hash}`)
    await screen.findByRole('heading', { level: 1, name: /^Meeting of / })
    within(screen.getByRole('table', { name: 'Who spoke' })).getByRole('row', { name: 'amina 1:00' })
    screen.getByText('No hands were left waiting.')
    screen.getByText(/^Times in \S.*\. This link ends /)
    expect(screen.queryByText('What was done')).toBeNull()
    window.dispatchEvent(new Event('beforeprint'))
    expect(window.location.hash).toBe('')
    window.dispatchEvent(new Event('afterprint'))
    expect(window.location.hash).toBe(hash)
    cleanup()
    openPage(server, '/report#unknown')
    await screen.findByRole('heading', { name: 'This link does not work' })
  })

  test('says why there are none, and that one is not found', async () => {
    open()
    await screen.findByText('No meetings yet')
    screen.getByText('This room has no Zoom meeting. Attendance shows who was online, by day.')
    screen.getByRole('link', { name: 'See who attended' })
  })

  test('heads one that runs by its start', async () => {
    await meet('running', 1, [['amina', 0, 30]])
    await db.updateTable('sittings').set({ is_live: true }).execute()
    await meet('former', 5)
    open('/host/meetings?meeting=running')
    await screen.findByRole('heading', { level: 1, name: /^Running meeting, since \d/ })
    await screen.findByRole('table', { name: 'Who came' })
    expect(screen.queryByText('Hands that were not called')).toBeNull()
    cleanup()
    open('/host/meetings?meeting=former&with=running')
    await screen.findByRole('region', { name: 'Only in the running meeting' })
  })

  test('says that a meeting is not found', async () => {
    open('/host/meetings?meeting=unknown')
    await screen.findByText('Meeting not found')
  })
})
