import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, test } from 'vitest'
import { buildAssistant, buildHost, buildRoomUser, type TestHost } from '../../../test/factories/accounts.ts'
import { openPage } from '../../../test/pages/page.tsx'
import { setup } from '../../../test/servers/setup.ts'

const server = await setup()
let host: TestHost
beforeEach(async () => {
  host = await buildHost(server)
  await buildRoomUser(server, host)
  await plan()
})

/** A meeting that begins in ten minutes, and has been checked. */
async function plan() {
  const { db } = server.deps
  const { id: room_id } = await db
    .selectFrom('rooms')
    .select('id')
    .where('host_id', '=', host.id)
    .executeTakeFirstOrThrow()
  const starts_at = new Date(Date.now() + 600_000)
  const at = new Date()
  const { id } = await db
    .insertInto('planned_meetings')
    .values({
      ...{
        room_id,
        first_day: '2026-12-01',
        last_day: null,
        over_at: null,
        weekdays: [],
        time: '19:30',
        minutes: 90,
        time_zone: 'Europe/Berlin',
      },
      ...{ created_at: at, updated_at: at },
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const check = { planned_meeting_id: id, planned_at: at, due_at: null, starts_at, checked_at: at }
  await db.insertInto('planned_checks').values(check).execute()
}
const NOT_CONNECTED = 'Zoom is not connected.'
const title = () => screen.findByText(/^The meeting planned for \d\d:\d\d is not ready$/)
const items = async () => {
  const alert = (await title()).closest<HTMLElement>('[role="status"]')
  if (!alert) throw new Error('The notice is no status')
  return within(alert)
}
const setHost = (set: object) => server.deps.db.updateTable('hosts').set(set).where('id', '=', host.id).execute()

describe('a planned meeting that is not ready', () => {
  test('is named on every page, with what is wrong and where it is mended, until it is', async () => {
    await setHost({ is_active: false })
    const { user } = openPage(server, '/host/account', { ...host, role: 'host' })
    const notice = await items()
    notice.getByText('The room is stopped.')
    notice.getByText(NOT_CONNECTED)
    notice.getByRole('link', { name: 'Open Host Master' }).focus()
    await user.keyboard('{Enter}')
    await screen.findByRole('heading', { name: 'Host Master' })
    await title()
    screen.getByRole('link', { name: 'Open Host Master' }).focus()
    await setHost({ is_active: true })
    fireEvent.focus(window)
    await waitFor(() => expect(screen.queryByText('The room is stopped.')).toBeNull())
    await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('main')))
    await title()
    await server.deps.db
      .updateTable('planned_checks')
      .set({ starts_at: new Date(Date.now() - 1) })
      .execute()
    fireEvent.focus(window)
    await waitFor(() => expect(screen.queryByText(/is not ready$/)).toBeNull())
  })

  test('is named to a manager, without the link to a page of the host', async () => {
    await setHost({ is_active: false })
    await server.deps.db.deleteFrom('room_users').execute()
    const manager = await buildAssistant(server, host, 'manager')
    openPage(server, '/host/users', { ...manager, role: 'manager' })
    const notice = await items()
    notice.getByText('The room is stopped.')
    expect(notice.getAllByRole('link').map(({ textContent }) => textContent)).toEqual(['Open Users Master'])
  })

  test('is named to a moderator, with what is wrong with the room and Zoom alone', async () => {
    await setHost({ is_active: false })
    await server.deps.db.deleteFrom('room_users').execute()
    const moderator = await buildAssistant(server, host, 'moderator')
    openPage(server, '/host/account', { ...moderator, role: 'moderator' })
    const notice = await items()
    expect(notice.getAllByRole('listitem')).toHaveLength(2)
    expect(notice.queryAllByRole('link')).toEqual([])
  })

  test('moves the page, which for a moment takes no click that was meant for what stood there', async () => {
    const { user, change } = openPage(server, '/host/account', { ...host, role: 'host' })
    change(/planned-meetings\/check$/, { check: null })
    const button = await screen.findByRole('button', { name: /^Change password/ })
    expect(screen.queryByText(/is not ready$/)).toBeNull()
    let clicks = 0
    button.addEventListener('click', () => clicks++)
    change(/^$/, {})
    fireEvent.focus(window)
    await screen.findByText(/is not ready$/)
    await user.click(button)
    expect(clicks).toBe(0)
    await waitFor(async () => {
      await user.click(button)
      expect(clicks).toBeGreaterThan(0)
    })
  })
})

test('the dashboard says that the check has found all well', async () => {
  const { change } = openPage(server, '/host/dashboard', { ...host, role: 'host' })
  const times = { starts_at: '2026-12-01T18:30:00.000Z', ends_at: '2026-12-01T20:00:00.000Z' }
  change(/planned-meetings\/check$/, { check: { ...times, checked_at: '2026-12-01T18:15:00.000Z', problems: [] } })
  await screen.findByText(/^Checked at \d\d:15: nothing is in the way of the meeting at \d\d:30\.$/)
  expect(screen.queryByText(/is not ready$/)).toBeNull()
})
