import { screen, waitFor } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import { buildHost, buildRoomUser, call, type TestHost } from '../../../test/factories/accounts.ts'
import { expectToast, openPage, press } from '../../../test/pages/page.tsx'
import { buildZoomHost, setupWithZoom } from '../../../test/zoom/emulated-zoom.ts'
import { formatMeetingId } from '../../lib/format-meeting-id.ts'

const server = await setupWithZoom()
const openRooms = (host: TestHost) => openPage(server, '/host/rooms', { ...host, role: 'host' })
const roomOf = async (host: TestHost) => (await call(server, 'GET', '/host/room', { as: host })).body.data.room
const expectRow = (text: string | RegExp) =>
  waitFor(() => expect(screen.getAllByRole('row')[1]?.textContent).toMatch(text))

describe('Rooms Master', () => {
  test('shows the room, and that it has no Zoom', async () => {
    const host = await buildHost(server)
    await buildRoomUser(server, host)
    await buildRoomUser(server, host)
    const { user, refuse } = openRooms(host)
    const stop = refuse('GET', /^\/host\/room$/)
    await screen.findByText('Failed to load the room')
    stop()
    await press(user, 'Try again')
    await expectRow(new RegExp(`${host.room_name}.*2.*Not connected to Zoom.*None`))
    expect(screen.queryByRole('button', { name: 'New passcode' })).toBeNull()
  })

  test('shows the meeting, and its password on request', async () => {
    const host = await buildZoomHost(server)
    const { zoom_meeting_id, password } = await roomOf(host)
    const { user } = openRooms(host)
    await expectRow(formatMeetingId(zoom_meeting_id))
    await expectRow('••••••')
    expect(document.body.textContent).not.toContain(password)
    await press(user, 'Show password')
    await expectRow(password)
  })

  test('copies the meeting ID and the password', async () => {
    const host = await buildZoomHost(server)
    const { zoom_meeting_id, password } = await roomOf(host)
    const { user } = openRooms(host)
    await press(user, 'Copy meeting ID')
    await expectToast('Meeting ID copied to clipboard')
    expect(await navigator.clipboard.readText()).toBe(zoom_meeting_id)
    await press(user, 'Copy password')
    await expectToast('Password copied to clipboard')
    expect(await navigator.clipboard.readText()).toBe(password)
  })

  test('sets a new passcode after a confirmation', async () => {
    const host = await buildZoomHost(server)
    const { password: before } = await roomOf(host)
    const { user, refuse } = openRooms(host)
    await press(user, 'Show password')
    await expectRow(before)
    const noDialog = () => waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    await press(user, 'New passcode')
    await screen.findByText(
      'The old passcode stops working. Users who are in the Zoom meeting stay in it, and phones get the new passcode when they next join.',
    )
    await press(user, 'Cancel')
    await noDialog()
    expect((await roomOf(host)).password).toBe(before)

    refuse('POST', /^\/host\/room\/passcode$/, { times: 1 })
    await press(user, 'New passcode')
    await press(user, 'Set new passcode')
    await expectToast('Failed to set a new passcode')
    await noDialog()
    await press(user, 'New passcode')
    await press(user, 'Set new passcode')
    await expectToast('The meeting has a new passcode')
    await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('button', { name: 'New passcode' })))
    const { password: after } = await roomOf(host)
    expect(after).not.toBe(before)
    await expectRow(after)
  })
})
