import { screen, waitFor } from '@testing-library/react'
import type { UserEvent } from '@testing-library/user-event'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { buildHost, buildMaster, buildRoomUser, call, type TestHost } from '../../../test/factories/accounts.ts'
import { expectToast, inDialog, openPage, press } from '../../../test/pages/page.tsx'
import { buildZoomHost, setupWithZoom } from '../../../test/zoom/emulated-zoom.ts'
import { receiveWebhooks, webhooksProcessed } from '../../../test/zoom/webhooks.ts'
import { confirm } from '../../ui/confirm.tsx'
import { useStartProgress } from './start-meeting.ts'

let now = Date.now()
let host: TestHost

const server = await setupWithZoom({ now: () => now })
beforeEach(async () => {
  useStartProgress.setState({ phase: 'idle' }, true)
  host = await buildZoomHost(server)
  await receiveWebhooks(server)
})

const openRooms = (as = host) => openPage(server, '/host/rooms', { ...as, role: 'host' })
const meeting = (what: string, body: object = {}) => {
  now += 1000
  return server.control(`/meetings/${host.rooms[0]?.zoom_meeting_id}${what}`, body)
}
const meetingPart = () => screen.findByRole('group', { name: 'Meeting' })
const expectMeeting = (text: RegExp) => waitFor(async () => expect((await meetingPart()).textContent).toMatch(text))
const expectRecording = (text: RegExp) =>
  waitFor(() => expect(screen.getByRole('group', { name: 'Recording' }).textContent).toMatch(text))

/** Uses the keyboard, since a click on a button that has just appeared is ignored. */
async function enter(user: UserEvent, name: string) {
  ;(await screen.findByRole('button', { name })).focus()
  await user.keyboard('{Enter}')
}

/** Stands in for the window that opens Zoom's link; the browser may block it. */
function fakeWindow(isBlocked = false) {
  const replaced: string[] = []
  const popup = {
    opener: window,
    closed: false,
    close: vi.fn(),
    document: document.implementation.createHTMLDocument(),
    location: { replace: (address: string) => replaced.push(address) },
  }
  const open = vi.fn(() => (isBlocked ? null : popup))
  vi.stubGlobal('open', open)
  return { open, popup, replaced }
}

describe('the meeting', () => {
  test('is started in a window of its own, and shows that it runs once Zoom reports it', async () => {
    const { open, popup, replaced } = fakeWindow()
    const { user } = openRooms()
    await press(user, 'Start meeting')
    await expectMeeting(/Waiting for Zoom to report the start.*Open Zoom again/)
    expect(open).toHaveBeenCalledTimes(1)
    expect(popup.opener).toBeNull()
    expect(replaced).toEqual([expect.stringContaining('/s/')])
    expect(document.body.innerHTML).not.toContain('zak=')
    await fetch(replaced[0] ?? '')
    await expectMeeting(/Running for \d:\d\d.*Open in Zoom.*End meeting/)
    await expectRecording(/Recording.*0:0\d.*Pause.*Stop/)
  })

  test('offers the link where the browser blocks the window', async () => {
    fakeWindow(true)
    const { user } = openRooms()
    await press(user, 'Start meeting')
    const link = await screen.findByRole('link', { name: 'Open Zoom' })
    expect(link).toMatchObject({ target: '_blank', rel: 'noopener noreferrer' })
    expect(link.getAttribute('href')).toContain('/s/')
    await user.click(link)
    await expectMeeting(/Waiting for Zoom/)
  })

  test('is opened once by a double press', async () => {
    const { open } = fakeWindow()
    const { user } = openRooms()
    await meetingPart()
    useStartProgress.setState({ phase: 'waiting', since: Number.POSITIVE_INFINITY }, true) // just now, however slow the test
    await press(user, 'Open Zoom again')
    expect(open).not.toHaveBeenCalled()
    useStartProgress.setState({ phase: 'idle' }, true)
    await press(user, 'Start meeting')
    expect(open).toHaveBeenCalledTimes(1)
  })

  test('can be started again if Zoom reports no start for two minutes', async () => {
    useStartProgress.setState({ phase: 'waiting', since: -Infinity }, true)
    openRooms()
    await expectMeeting(/Meeting not running.*Start meeting/)
    expect(useStartProgress.getState().phase).toBe('idle')
  })

  test('a start that fails closes the window and can be repeated', async () => {
    const { popup } = fakeWindow()
    const { user, refuse } = openRooms()
    refuse('POST', /^\/host\/room\/start$/, { times: 1 })
    await press(user, 'Start meeting')
    await expectToast('Failed to start the meeting')
    expect(popup.close).toHaveBeenCalled()
    await press(user, 'Start meeting')
    await expectMeeting(/Waiting for Zoom/)
  })

  test('is ended after a question that says how many are in it', async () => {
    await meeting('/start')
    for (let count = 0; count < 2; count++)
      await meeting('/participants/join', { customer_key: (await buildRoomUser(server, host)).id })
    const { user } = openRooms()
    await screen.findByText('2 users are in it')
    await press(user, 'End meeting')
    const question = await inDialog('End the meeting for 2 users?')
    question.getByText(/They all leave the meeting right away.*The recording ends with it/)
    await press(user, 'Cancel', question)
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    await expectMeeting(/Running/)
    await press(user, 'End meeting')
    await press(user, 'End meeting', await inDialog('End the meeting for 2 users?'))
    await expectToast('The meeting has ended')
    await expectMeeting(/Meeting not running.*Start meeting/)
  })

  test('claims nothing while the server does not answer', async () => {
    await meeting('/start')
    const { refuse } = openRooms()
    await expectMeeting(/Running for/)
    const stop = refuse('GET', /^\/host\/room$/)
    const later = Date.now() + 10_000
    vi.spyOn(Date, 'now').mockReturnValue(later)
    await expectMeeting(/^Out of date/)
    await expectRecording(/^Out of date/)
    expect(screen.queryByText('Running')).toBeNull()
    expect(screen.queryByRole('timer')).toBeNull()
    stop()
    await expectMeeting(/^Running for/)
    screen.getByText('Running')
  })

  test('is asked about once, however often it is chosen in the search', async () => {
    await meeting('/start')
    const { user } = openRooms()
    await press(user, 'End meeting')
    const question = await inDialog('End the meeting?')
    const ask = () => confirm({ title: 'End the meeting?', body: '', confirmLabel: 'End meeting' })
    expect(await ask()).toBe(false)
    expect(screen.getAllByRole('dialog')).toHaveLength(1)
    await press(user, 'Cancel', question)
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  })

  test('goes on if it began while the end of the one before was asked about', async () => {
    await meeting('/start')
    const { user } = openRooms()
    await press(user, 'End meeting')
    const question = await inDialog('End the meeting?')
    await meeting('/end')
    await webhooksProcessed(server)
    await meeting('/start')
    await webhooksProcessed(server)
    await press(user, 'End meeting', question)
    await expectToast('Another meeting has begun in the meantime. It goes on.')
    await expectMeeting(/Running/)
  })
})

describe('the recording', () => {
  test('pauses, resumes, stops and starts, with its clock', async () => {
    await meeting('/start')
    const { user } = openRooms()
    for (const [button, message, shown] of [
      ['Pause', 'Recording paused', /Recording paused.*0:\d\d.*ResumeStop/],
      ['Resume', 'The recording continues', /Recording.*PauseStop/],
      ['Stop', 'Recording stopped', /Not recording.*Record$/],
      ['Record', 'Recording started', /Recording0:0\d.*PauseStop/],
    ] as const) {
      now += 1000
      await enter(user, button)
      await expectToast(message)
      await expectRecording(shown)
    }
  })

  test('stays as another console has left it since, when an answer comes late', async () => {
    await meeting('/start')
    const { user, holdAnswer } = openRooms()
    const release = holdAnswer('POST', /^\/host\/recording\/pause$/)
    now += 1000
    await enter(user, 'Pause')
    await expectRecording(/Recording paused/)
    now += 1000
    await call(server, 'POST', '/host/recording/resume', { as: host })
    await expectRecording(/^Recording\d.*PauseStop/)
    release()
    await expectToast('Recording paused')
    expect(screen.getByRole('group', { name: 'Recording' }).textContent).toMatch(/PauseStop/)
  })

  test('is not offered while no meeting runs or recording is switched off', async () => {
    openRooms()
    await expectRecording(/Not recordingStarts with the meeting\./)
    const body = { recording_enabled: false }
    await call(server, 'PUT', `/admin/hosts/${host.id}`, { as: await buildMaster(server), body })
    await expectRecording(/switched off for your room\. Ask your administrator/)
    await meeting('/start')
    await expectMeeting(/Running/)
    expect(screen.queryByRole('button', { name: 'Record' })).toBeNull()
    expect(screen.queryByText('This meeting is not being recorded')).toBeNull()
  })

  test('a meeting that runs without it is warned about, until it is recorded or the host knows', async () => {
    await meeting('/start')
    await meeting('/recording', { action: 'stop' })
    now += 60_000
    const { user } = openRooms()
    await screen.findByText('This meeting is not being recorded')
    const warning = await screen.findByRole('status', { name: /not being recorded/ })
    expect(warning.textContent).toContain('Record')
    const [button] = screen.getAllByRole('button', { name: 'Record' })
    if (button) await user.click(button)
    await expectToast('Recording started')
    await waitFor(() => expect(screen.queryByText('This meeting is not being recorded')).toBeNull())
    now += 1000
    await enter(user, 'Stop')
    await screen.findByText('This meeting is not being recorded')
    await press(user, 'Hide this warning')
    await waitFor(() => expect(screen.queryByText('This meeting is not being recorded')).toBeNull())
  })
})

describe('a room without Zoom', () => {
  test.each([
    ['/host/rooms', /Users can sign in/],
    ['/host/online', /You still see who is online/],
    ['/host/recordings', /You can still play and download/],
    ['/host/host-master', /Your room works without it/],
  ])('says so on %s, and what works all the same', async (path, still) => {
    openPage(server, path, { ...(await buildHost(server)), role: 'host' })
    await screen.findByText('Zoom is not connected to your room')
    const { textContent } = screen.getByText(still)
    expect(textContent).toContain('Ask your administrator to connect it.')
    expect(screen.queryByRole('button', { name: 'Start meeting' })).toBeNull()
  })

  test('says that a connection has to be renewed', async () => {
    await server.deps.db.updateTable('zoom_links').set({ reconnect_needed: true }).execute()
    openRooms()
    await screen.findByText('Zoom has to be connected again')
    expect(screen.queryByRole('button', { name: 'Start meeting' })).toBeNull()
  })
})
