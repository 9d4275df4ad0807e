import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import type { UserEvent } from '@testing-library/user-event'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { buildHost, call, type TestHost } from '../../../test/factories/accounts.ts'
import { expectToast, openPage, press, savedCount } from '../../../test/pages/page.tsx'
import { buildZoomHost, setupWithZoom } from '../../../test/zoom/emulated-zoom.ts'

const server = await setupWithZoom()
let host: TestHost
beforeEach(async () => {
  host = await buildZoomHost(server)
  const { room } = (await call(server, 'GET', '/host/room', { as: host })).body.data
  const dayOf = (monthsAgo: number, day: number) => {
    const now = new Date()
    return new Date(now.getFullYear(), now.getMonth() - monthsAgo, day, 12)
  }
  for (const start of [dayOf(1, 10), dayOf(1, 11), dayOf(2, 10)]) {
    await server.control('/recordings', {
      meeting_id: room.zoom_meeting_id,
      start_time: start.toISOString(),
      duration_minutes: 30,
      notify: false,
    })
  }
})

const openRecordings = (as = host) => openPage(server, '/host/recordings', { ...as, role: 'host' })
const noDialog = () => waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
const DELETE = /^\/recordings\/meetings\/.*\/recordings$/

describe('Cloud Recordings', () => {
  test('lists a month or all, and shows the storage used', async () => {
    const { user } = openRecordings()
    await screen.findByText('3 recordings')
    await screen.findByText(/^[\d.]+ of \d+ GB of storage used$/)
    const month = screen.getByLabelText('Month')
    const options = within(month).getAllByRole<HTMLOptionElement>('option')
    expect(options.map(({ textContent }) => textContent)).toEqual([
      'All months (3)',
      expect.stringMatching(/\d{4} \(2\)$/),
      expect.stringMatching(/\d{4} \(1\)$/),
    ])
    for (const [index, words, rows] of [
      [1, '2 recordings', 3],
      [2, '1 recording', 2],
    ] as const) {
      await user.selectOptions(month, options[index]?.value ?? '')
      await screen.findByText(words)
      expect(screen.getAllByRole('row')).toHaveLength(rows) // including the header
    }
  })

  test('does not stop a download by the second click of a double click', async () => {
    const { user, before } = openRecordings()
    const held = Promise.withResolvers<void>()
    before('GET', /^\/recordings\/media\//, () => held.promise)
    const [download] = await screen.findAllByRole('button', { name: /^Download / })
    const clock = vi.spyOn(performance, 'now').mockReturnValue(0)
    download?.focus()
    await user.keyboard('{Enter}')
    await press(user, /^Stop downloading /)
    clock.mockRestore()
    held.resolve()
    await waitFor(() => expect(savedCount()).toBe(1))
  })

  test.each([
    ['a click', (user: UserEvent) => press(user, /^Download /)],
    ['a key', (user: UserEvent) => user.keyboard('{Enter}')],
  ])('saves a short file once where a second press, by %s, comes after it is there', async (_how, pressAgain) => {
    const { user } = openRecordings()
    const focus = async () => (await screen.findAllByRole('button', { name: /^Download / }))[0]?.focus()
    const clock = vi.spyOn(performance, 'now').mockReturnValue(10_000_000) // later than any real press
    await focus()
    await user.keyboard('{Enter}')
    await waitFor(() => expect(savedCount()).toBe(1))
    await focus()
    await pressAgain(user)
    expect(screen.queryByRole('button', { name: /^Stop downloading / })).toBeNull()
    clock.mockRestore()
  })

  test('deletes a recording after a confirmation, and Undo restores it', async () => {
    const { user, refuse } = openRecordings()
    const deleteFirst = async () => {
      await press(user, /^Delete .*m4a$/)
      await screen.findByText(/trash at Zoom, where/)
    }
    await deleteFirst()
    await press(user, 'Cancel')
    await noDialog()
    await press(user, /^Actions for .*m4a$/) // the menu of a card
    await screen.findByRole('menuitem', { name: 'Download' })
    await user.click(screen.getByRole('menuitem', { name: 'Delete' }))
    await screen.findByText(/trash at Zoom, where/)
    await press(user, 'Cancel')
    await noDialog()
    refuse('DELETE', DELETE, { times: 1, status: 502, message: 'Zoom is busy' })
    await deleteFirst()
    await press(user, 'Delete recording')
    await expectToast('Failed to delete recording: Zoom is busy')
    await noDialog()
    await deleteFirst()
    await press(user, 'Delete recording')
    await expectToast('Moved to Trash')
    await screen.findByText('2 recordings')
    await press(user, 'Undo')
    await expectToast('Taken out of the trash: 1 recording')
    await screen.findByText('3 recordings')
  })

  test('deletes nothing if the recording has left the list while the question was open', async () => {
    const { user, calls } = openRecordings()
    await press(user, /^Delete .*m4a$/)
    await screen.findByText(/trash at Zoom, where/)
    const { recordings } = (await call(server, 'GET', '/recordings', { as: host })).body.data
    const path = `/recordings/meetings/${encodeURIComponent(recordings[0].meeting_data.uuid)}/recordings`
    expect((await call(server, 'DELETE', path, { as: host })).status).toBe(200)
    fireEvent.focus(window)
    await screen.findByText('2 recordings')
    await press(user, 'Delete recording')
    await expectToast('Recording not found in list')
    expect(calls.filter((one) => one.startsWith('DELETE'))).toEqual([])
  })

  test('deletes several, and reports those Zoom refused', async () => {
    const { user, refuse } = openRecordings()
    const [all] = await screen.findAllByLabelText('Select all recordings')
    if (all) await user.click(all)
    await screen.findByText('3 recordings, 3 selected')
    refuse('DELETE', DELETE, { times: 1, status: 502 })
    await press(user, 'Delete selected')
    await press(user, 'Delete')
    await expectToast('Moved to Trash 2 recording(s), 1 failed')
    await screen.findByText('1 recording, 1 selected')
    await press(user, 'Undo')
    await expectToast('Taken out of the trash: 2 recordings')
    await screen.findByText(/^3 recordings/)
  })

  test('sees in the list what a deletion and Undo have done whose answers were lost', async () => {
    const { user, loseAnswer } = openRecordings()
    loseAnswer('DELETE', DELETE)
    await press(user, /^Delete .*m4a$/)
    await press(user, 'Delete recording')
    await expectToast('Moved to Trash')
    await noDialog()
    await screen.findByText('1 recording was moved to the trash.')
    loseAnswer('POST', /recover$/)
    await press(user, 'Undo')
    await expectToast('Taken out of the trash: 1 recording')
    await screen.findByText('3 recordings')
    await waitFor(() => expect(screen.queryByText(/moved to the trash\.$/)).toBeNull())

    const [all] = await screen.findAllByLabelText('Select all recordings')
    if (all) await user.click(all)
    loseAnswer('DELETE', DELETE)
    await press(user, 'Delete selected')
    await press(user, 'Delete')
    await expectToast('Moved to Trash 3 recording(s), 0 failed')
    await screen.findByText('3 recordings were moved to the trash.')
  })

  test('still offers Undo for what was deleted while an earlier Undo was under way', async () => {
    const page = openRecordings()
    const { user } = page
    await press(user, /^Delete .*m4a$/)
    await press(user, 'Delete recording')
    await screen.findByText('2 recordings')
    const held = Promise.withResolvers<void>()
    page.before('POST', /recover$/, () => held.promise)
    await press(user, 'Undo')
    await press(user, /^Delete .*m4a$/)
    await press(user, 'Delete recording')
    await screen.findByText('1 recording')
    held.resolve()
    await expectToast('Taken out of the trash: 1 recording')
    await screen.findByText('2 recordings')
    await press(user, 'Undo')
    await screen.findByText('3 recordings')
  })

  test('offers no Undo for what another console has restored', async () => {
    const { user } = openRecordings()
    await screen.findByText('3 recordings')
    const { recordings } = (await call(server, 'GET', '/recordings', { as: host })).body.data
    await press(user, /^Delete .*m4a$/)
    await press(user, 'Delete recording')
    await screen.findByText('1 recording was moved to the trash.')
    const path = `/recordings/meetings/${encodeURIComponent(recordings[0].meeting_data.uuid)}/recover`
    expect((await call(server, 'POST', path, { as: host })).status).toBe(200)
    fireEvent.focus(window)
    await screen.findByText('3 recordings')
    await waitFor(() => expect(screen.queryByText('1 recording was moved to the trash.')).toBeNull())
  })

  test('marks a list that is stale, truncated, without files or empty', async () => {
    const { user, change } = openRecordings()
    await screen.findByText('3 recordings')
    const refreshWith = (data: Record<string, unknown>) => {
      change(/^\/recordings$/, data)
      return press(user, 'Refresh')
    }
    await refreshWith({ stale: true })
    await screen.findByText('Zoom does not answer at the moment. This is the list as Parley knew it last.')
    const message = 'The storage is full.'
    await refreshWith({ archive: { is_full: true, waiting: 1, used_gb: 25, limit_gb: 25, message } })
    await screen.findByText(message)

    const { body } = await call(server, 'GET', '/recordings', { as: host })
    const withoutFiles = JSON.stringify(body.data.recordings).replace(/"(play|download)_url":"[^"]*"/g, '"$1_url":null')
    await refreshWith({ recordings: JSON.parse(withoutFiles) })
    await waitFor(() => expect(screen.queryByText(message)).toBeNull())
    await press(user, /^Play /)
    await expectToast('No playable file available')
    screen.getAllByRole('button', { name: /^Download / })[0]?.focus()
    await user.keyboard('{Enter}')
    await expectToast('No downloadable file available')
    await refreshWith({ recordings: [] })
    await screen.findByText('No recordings found for your room.')
  })

  test('says why an empty list is empty: no Zoom, recording off, or nothing yet', async () => {
    const { change } = openRecordings(await buildHost(server))
    await screen.findByText('No recordings found for your room.')
    await screen.findByText(/Recordings come from Zoom, which is not connected to your room\./)
    expect(screen.queryByRole('button', { name: 'Start meeting' })).toBeNull()
    const { room } = (await call(server, 'GET', '/host/room', { as: host })).body.data
    change(/^\/host\/room$/, { room: { ...room, recording_enabled: false } })
    fireEvent.focus(window)
    await screen.findByText('Recording is off for your room. Ask your administrator to turn it on.')
    change(/^\/host\/room$/, { room: { ...room, recording_enabled: true } })
    fireEvent.focus(window)
    await screen.findByText('Recordings of the last 6 months appear here once Zoom has finished them.')
    await screen.findByRole('button', { name: 'Start meeting' })
  })

  test('shows a failure to load, and can be retried', async () => {
    const { user, refuse } = openRecordings()
    const stop = refuse('GET', /^\/recordings$/)
    await screen.findByText('Failed to load recordings')
    stop()
    await press(user, 'Try again')
    await screen.findByText('3 recordings')
    refuse('GET', /^\/recordings$/)
    await press(user, 'Refresh')
    await expectToast('Failed to refresh data')
    screen.getByText('3 recordings')
  })
})
