import { act, cleanup, render, screen } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { fakeSession } from '../../../test/e2e/support/phone-gallery/fake-session.ts'
import { Lobby } from '../lobby/Lobby.tsx'
import { applyLanguage } from '../words/language.ts'
import { RoomScreen } from './RoomScreen.tsx'

afterEach(async () => {
  cleanup()
  vi.restoreAllMocks()
  await act(() => applyLanguage('en'))
})

/** Reads as 19:30 in the zone of this machine. */
const at = (local: string) => new Date(local).toISOString()
const MEETING = { starts_at: at('2026-12-01T19:30'), ends_at: at('2026-12-01T21:00') }
const LINE = /^(Next meeting|Meeting time): \u2068Tuesday 1 December, 19:30\u2069$/
const setNow = (local: string) => vi.spyOn(Date, 'now').mockReturnValue(Date.parse(at(local)))

function openRoom(changes: Parameters<typeof fakeSession>[0]) {
  const session = fakeSession(changes)
  render(<RoomScreen session={session} isOld={false} onLeave={vi.fn()} onSignOut={vi.fn()} />)
  return session
}

test('the room names the next meeting while there is no sound, and not once there is', () => {
  setNow('2026-11-28T12:00')
  const session = openRoom({ sound: { audio: 'joining', trouble: 'host_absent' }, now: { next_meeting: MEETING } })
  expect(screen.getByText(LINE).textContent).toContain('Next meeting')
  act(() => session.show({ sound: { audio: 'on', trouble: null } }))
  expect(screen.queryByText(LINE)).toBeNull()
})

test('the room names the time of a meeting that should have begun', () => {
  setNow('2026-12-01T19:31')
  openRoom({ sound: { audio: 'joining', trouble: 'host_absent' }, now: { next_meeting: MEETING } })
  expect(screen.getByText(LINE).textContent).toContain('Meeting time')
})

test('the screen before joining does not name a meeting that is over since the sign-in', () => {
  setNow('2026-12-01T21:00')
  const login = { ...fakeSession({}).view.login, token: 'token' }
  const room = { ...login.room, next_meeting: MEETING }
  render(<Lobby login={{ ...login, room }} isOld={false} onJoin={vi.fn()} onSignOut={vi.fn()} />)
  expect(screen.queryByText(LINE)).toBeNull()
})

test('the screen before joining names it too, in each language', async () => {
  setNow('2026-11-28T12:00')
  const login = { ...fakeSession({}).view.login, token: 'token' }
  const room = { ...login.room, next_meeting: MEETING }
  render(<Lobby login={{ ...login, room }} isOld={false} onJoin={vi.fn()} onSignOut={vi.fn()} />)
  screen.getByText(LINE)
  await act(() => applyLanguage('es'))
  screen.getByText('Próxima reunión: \u2068martes, 1 de diciembre, 19:30\u2069')
})
