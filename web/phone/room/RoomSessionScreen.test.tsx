import { cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'
import { PHONE_SESSION_ENDS } from '../../../shared/session-end.ts'
import { fakeSession } from '../../../test/e2e/support/phone-gallery/fake-session.ts'
import { press } from '../../../test/pages/page.tsx'
import { EndedScreen } from '../ended/EndedScreen.tsx'
import { RoomSessionScreen } from './RoomSessionScreen.tsx'

afterEach(cleanup)
HTMLDialogElement.prototype.showModal = function (this: HTMLDialogElement) {
  this.open = true
}
HTMLDialogElement.prototype.close = function (this: HTMLDialogElement) {
  this.open = false
}

function openRoom(changes: Parameters<typeof fakeSession>[0] = {}) {
  const session = fakeSession(changes)
  const onLeft = vi.fn()
  const onSignOut = vi.fn()
  const onEnded = vi.fn()
  render(<RoomSessionScreen session={session} isOld={false} onLeft={onLeft} onSignOut={onSignOut} onEnded={onEnded} />)
  return { session, onLeft, onSignOut, onEnded, user: userEvent.setup({ delay: null }) }
}

test('who leaves stays signed in, and the sound is left first', async () => {
  const { session, onLeft, onEnded, user } = openRoom()
  await press(user, 'Leave')
  const leave = (await screen.findAllByRole('button', { name: 'Leave' })).at(-1)
  if (leave) await user.click(leave)
  await vi.waitFor(() => expect(onLeft).toHaveBeenCalledOnce())
  expect(session.calls).toEqual(['join', 'leaveSound', 'close'])
  expect(onEnded).not.toHaveBeenCalled()
})

test('who signs out leaves the sound and the room first, even if the meeting does not answer', async () => {
  const { session, onLeft, onSignOut, onEnded, user } = openRoom()
  session.leaveSound = () => Promise.reject(new Error('no answer'))
  await press(user, 'Leave')
  await press(user, 'Leave and sign out')
  await vi.waitFor(() => expect(onSignOut).toHaveBeenCalledOnce())
  expect(session.calls).toEqual(['join', 'close'])
  for (const other of [onLeft, onEnded]) expect(other).not.toHaveBeenCalled()
})

test('an end by the host ends the stay with its reason', () => {
  const { onEnded } = openRoom({ state: { ended: 'stopped' } })
  expect(onEnded).toHaveBeenCalledWith('stopped')
})

test('who goes on in another tab has left this one, and stays signed in', () => {
  const { onLeft, onEnded } = openRoom({ state: { ended: 'other_tab' } })
  expect([onLeft.mock.calls, onEnded.mock.calls]).toEqual([[['other_tab']], []])
})

test.each([...PHONE_SESSION_ENDS, 'signed_out', 'left', 'other_tab'] as const)(
  '%s has a screen: what happened, what to do',
  (end) => {
    const onGoOn = vi.fn()
    render(<EndedScreen end={end} tokenNow={null} isOld={false} onGoOn={onGoOn} />)
    expect(screen.getByRole('heading', { level: 1 }).textContent).toMatch(/\w{3}/)
    screen.getByRole('button').click()
    expect(onGoOn).toHaveBeenCalledOnce()
  },
)
