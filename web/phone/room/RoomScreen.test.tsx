import { act, cleanup, createEvent, fireEvent, render, renderHook, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import axe from 'axe-core'
import { afterEach, expect, test, vi } from 'vitest'
import type { PhoneWord } from '../../../shared/phone-words.ts'
import { fakeSession } from '../../../test/e2e/support/phone-gallery/fake-session.ts'
import { press } from '../../../test/pages/page.tsx'
import { useSingleTaps } from '../ui/use-single-taps.ts'
import { RoomScreen } from './RoomScreen.tsx'

afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
})
HTMLDialogElement.prototype.showModal = function (this: HTMLDialogElement) {
  this.open = true
}
HTMLDialogElement.prototype.close = function (this: HTMLDialogElement) {
  this.open = false
}

function openRoom(changes: Parameters<typeof fakeSession>[0] = {}, isOld = false) {
  const session = fakeSession(changes)
  const onLeave = vi.fn()
  const onSignOut = vi.fn()
  render(<RoomScreen session={session} isOld={isOld} onLeave={onLeave} onSignOut={onSignOut} />)
  const show = (more: Parameters<typeof session.show>[0]) => act(() => session.show(more))
  return { session, show, onLeave, onSignOut, user: userEvent.setup({ delay: null }) }
}
const button = (name: string) => screen.getByRole('button', { name })

test('joins the meeting once, into its frame', () => {
  const { session, show } = openRoom()
  show({ connection: 'open' })
  expect(session.calls).toEqual(['join'])
  expect(document.querySelector('[data-stand-in]')).toBeTruthy()
})

test('speaks and stops by one button', async () => {
  const { session, show, user } = openRoom()
  await press(user, 'Speak')
  show({ sound: { microphone: 'on' }, state: { speaker_on: true } })
  await screen.findByText('You can be heard')
  await press(user, 'Stop speaking')
  expect(session.calls).toEqual(['join', 'speak', 'stopSpeaking'])
})

test('a key that is pressed twice stops the speech, and does not begin another', async () => {
  renderHook(useSingleTaps)
  const { session, show, user } = openRoom({ sound: { microphone: 'on' }, state: { speaker_on: true } })
  vi.spyOn(Event.prototype, 'timeStamp', 'get').mockReturnValue(1000)
  button('Stop speaking').focus()
  await user.keyboard('{Enter}')
  show({ sound: { microphone: 'off' }, state: { speaker_on: false } })
  expect(document.activeElement?.textContent).toBe('Speak')
  await user.keyboard('{Enter}')
  expect(session.calls).toEqual(['join', 'stopSpeaking'])
})

test.each([
  { own: { wants_to_speak: true }, hosts: { asked_to_speak: true }, name: 'Not now', call: 'decline', at: 1e7 },
  { own: { speaker_on: true }, hosts: { is_muted: true }, name: 'Ask to speak', call: 'raiseHand', at: 2e7 },
])('a late tap does not press $name, which the host has put under the thumb', ({ own, hosts, name, call, at }) => {
  vi.spyOn(performance, 'now').mockReturnValue(at)
  const { session, show } = openRoom({ state: own, sound: { microphone: own.speaker_on ? 'on' : 'off' } })
  show({ state: hosts })
  const tapAfter = (ms: number) => {
    const click = createEvent.click(button(name), { detail: 1, clientX: 200, clientY: 700 })
    Object.defineProperty(click, 'timeStamp', { value: at + ms })
    fireEvent(button(name), click)
  }
  for (const ms of [-10, 499]) tapAfter(ms)
  expect(session.calls).toEqual(['join'])
  tapAfter(1000)
  expect(session.calls).toEqual(['join', call])
})

test('a muted user cannot speak, sees why, and can ask', async () => {
  const { session, show, user } = openRoom({ state: { is_muted: true } })
  expect(button('Speak The host has muted you.').getAttribute('aria-disabled')).toBe('true')
  await press(user, /^Speak/)
  await press(user, 'Ask to speak')
  show({ state: { wants_to_speak: true }, now: { queue_place: 2 } })
  await screen.findByText('You are number 2 in the queue')
  show({ now: { queue_place: 1 } })
  await screen.findByText('You are next')
  await press(user, 'Lower your hand')
  expect(session.calls).toEqual(['join', 'raiseHand', 'lowerHand'])
})

test('counts a limited turn down, warns in its last half minute, and says when it is over', async () => {
  vi.spyOn(performance, 'now').mockReturnValue(1e6)
  const { show } = openRoom()
  const turnFor = (seconds: number, limitMinutes: number | null = 2) =>
    show({ turn: { since: 1e6 - seconds * 1000, limitMinutes } })
  const line = () => document.querySelector('[data-state]')
  turnFor(10, null)
  expect(line()).toBeNull()
  turnFor(10)
  expect([line()?.getAttribute('data-state'), line()?.textContent]).toEqual(['running', 'Your turn: ⁨1:50⁩ left'])
  const spoken = () => screen.getAllByRole('status').map(({ textContent }) => textContent)
  expect(spoken()).toContain('Your turn: ⁨2:00⁩ left') // not every second
  turnFor(95)
  expect([line()?.getAttribute('data-state'), line()?.textContent]).toEqual(['ending', 'Your turn: ⁨0:25⁩ left'])
  expect(spoken()).toContain('Your turn: ⁨0:30⁩ left')
  turnFor(121)
  expect([line()?.getAttribute('data-state'), spoken()]).toEqual([
    'over',
    expect.arrayContaining(['Your time is over']),
  ])
  show({ turn: null })
  expect(line()).toBeNull()
})

test('when the host asks, the focus moves there and nothing is heard before the tap', async () => {
  const { session, show, user } = openRoom()
  show({ state: { asked_to_speak: true } })
  const dialog = await screen.findByRole('alertdialog', { name: 'The host asks you to speak' })
  expect(document.activeElement).toBe(dialog)
  await user.keyboard('{Enter} ')
  expect(session.calls).toEqual(['join'])
  await press(user, 'Speak')
  expect(session.calls).toEqual(['join', 'speak'])
})

test('"not now" is for this time alone', async () => {
  const { session, show, user } = openRoom({ state: { asked_to_speak: true } })
  await press(user, 'Not now')
  expect(session.calls).toEqual(['join', 'decline'])
  show({ state: { asked_to_speak: false } })
  expect(screen.queryByRole('alertdialog')).toBeNull()
  show({ state: { asked_to_speak: true } })
  expect(screen.getByRole('alertdialog')).toBeTruthy()
})

test('says that a hand or an answer is not sent yet, and takes the hand back', async () => {
  const { session, show, user } = openRoom({ connection: 'lost' })
  show({ unsent_hand: true })
  await screen.findByText(/^Not sent yet: your hand goes up/)
  await press(user, 'Lower your hand')
  show({ unsent_hand: false, state: { wants_to_speak: true } })
  await screen.findByText(/^Not sent yet: your hand goes down/)
  await press(user, 'Ask to speak')
  show({ unsent_hand: null, unsent_no: true, state: { wants_to_speak: false } })
  await screen.findByText(/^Not sent yet: the host gets your answer/)
  expect(session.calls).toEqual(['join', 'lowerHand', 'raiseHand'])
  show({ unsent_no: false })
  expect(screen.queryByText(/^Not sent yet/)).toBeNull()
})

test('says that the connection to Parley was lost, and that it is back', async () => {
  const { show } = openRoom()
  show({ connection: 'lost' })
  await screen.findByText('Connection to Parley lost')
  show({ connection: 'open' })
  await screen.findByText('Connected again')
})

test.each([
  ['host_absent', /not in the meeting yet/, false],
  ['host_unknown', /^It is not known yet whether the host is in the meeting\.$/, false],
  ['not_connected', /no Zoom meeting yet/, false],
  ['sdk_failed', /could not be loaded/, true],
  ['unreachable', /Parley cannot be reached/, false],
  ['waiting_room', /waiting room/, false],
  ['join_failed', /did not let you into/, false],
  ['refused', /does not let you into/, true],
  ['meeting_ended', /meeting is over\./, false],
  ['not_admitted', /did not let you into/, true],
  ['removed', /has removed you/, true],
] as const)('says why there is no sound: %s', async (trouble, words, canTry) => {
  const { session, user } = openRoom({ sound: { audio: 'off', trouble } })
  await screen.findByText(words)
  expect(screen.queryByRole('button', { name: 'Try again' }) !== null).toBe(canTry)
  if (!canTry) return
  await press(user, 'Try again')
  await vi.waitFor(() => expect(session.calls).toEqual(['join', 'leaveSound', 'join']))
})

test("shows Zoom's code of a refusal", async () => {
  openRoom({ sound: { audio: 'off', trouble: 'refused', zoom_code: 3712 } })
  await screen.findByText('Zoom 3712')
})

test('points at the tap that Zoom needs once there is something to tap', async () => {
  const { show } = openRoom({ sound: { audio: 'joining' } })
  await screen.findByText(/Parley is opening the meeting/)
  expect(screen.queryByText(/Join Audio/)).toBeNull()
  show({ sound: { audio: 'ready' } })
  await screen.findByText('Tap Join Audio below to hear the room.')
  show({ sound: { audio: 'on' } })
  expect(screen.queryByText('Tap Join Audio below to hear the room.')).toBeNull()
})

test('calls for the tap that is needed to hear again, on the screen and in the title', async () => {
  const { show } = openRoom()
  show({ sound: { audio: 'ready' }, is_tap_awaited: true })
  await screen.findByText('Tap Join Audio to hear again')
  expect(document.title).toBe('Tap Join Audio to hear again · Parley')
  show({ sound: { audio: 'on' }, is_tap_awaited: false })
  await screen.findByText('Your microphone is off')
  expect(document.title).toBe('Evening circle of St Anne · Parley')
})

test('the meeting stays in sight while help is read', async () => {
  const { user } = openRoom()
  await press(user, 'I cannot hear')
  await screen.findByRole('heading', { name: 'I cannot hear' })
  expect(document.querySelector('[data-stand-in]')).toBeTruthy()
  await press(user, 'Back to the room')
  await screen.findByText('Thomas Okafor')
})

test('says what is lost before the Zoom app opens, and leaves the sound then', async () => {
  const { session, user } = openRoom()
  await press(user, 'Open in the Zoom app')
  await screen.findByText('The host cannot mute you from Parley.')
  const link = screen.getByRole('link', { name: 'Open the Zoom app' })
  expect(link.getAttribute('href')).toBe('https://zoom.us/j/85012345678')
  link.addEventListener('click', (event) => event.preventDefault())
  await user.click(link)
  expect(session.calls).toEqual(['join', 'leaveSound'])
})

test('asks before it leaves', async () => {
  const { onLeave, onSignOut, user } = openRoom()
  await press(user, 'Leave')
  const leave = screen.getAllByRole('button', { name: 'Leave' }).at(-1)
  if (leave) await user.click(leave)
  expect(onLeave).toHaveBeenCalledOnce()
  await press(user, 'Leave and sign out')
  expect(onSignOut).toHaveBeenCalledOnce()
})

test('Back asks before it leaves, each time', async () => {
  const { onLeave, user } = openRoom()
  for (const _time of [1, 2]) {
    window.history.back()
    await screen.findByRole('heading', { name: 'Leave the room?' })
    await press(user, 'Stay')
    expect(screen.queryByRole('heading', { name: 'Leave the room?' })).toBeNull()
  }
  expect(onLeave).not.toHaveBeenCalled()
})

test('Back closes the help, or the sheet that is open', async () => {
  const { user } = openRoom()
  await press(user, 'I cannot hear')
  await screen.findByText('1. Does the phone play any sound?')
  window.history.back()
  await waitFor(() => expect(screen.queryByText('1. Does the phone play any sound?')).toBeNull())
  await press(user, 'Leave')
  await screen.findByRole('heading', { name: 'Leave the room?' })
  window.history.back()
  await waitFor(() => expect(screen.queryByRole('heading', { name: 'Leave the room?' })).toBeNull())
})

test('a refused microphone leads to how it is allowed, under that title', async () => {
  const { user } = openRoom({ sound: { microphone: 'refused' } })
  await press(user, 'How to allow the microphone')
  await screen.findByRole('heading', { name: 'How to allow the microphone' })
  expect(screen.queryByText('1. Does the phone play any sound?')).toBeNull()
})

test('who can be heard is not offered to ask', () => {
  const { show } = openRoom({ sound: { microphone: 'on' } })
  expect(screen.queryByRole('button', { name: 'Ask to speak' })).toBeNull()
  show({ sound: { microphone: 'off' } })
  expect(button('Ask to speak')).toBeTruthy()
})

test('claims nothing of who speaks while the room is out of reach', () => {
  const { show } = openRoom({ now: { speaking: [] }, sound: { speaking: [] } })
  screen.getByText('Nobody is speaking')
  show({ now: null })
  expect(screen.queryByText('Nobody is speaking')).toBeNull()
})

test('counts the person who has just come', () => {
  openRoom({ now: { online: 0 } })
  expect(screen.getByText('1 person here')).toBeTruthy()
})

test('without a connection the sound cannot be turned on, and the button says why', () => {
  openRoom({ connection: 'lost', sound: { audio: 'lost' } })
  expect(button('Turn the sound on There is no connection to Parley.').getAttribute('aria-disabled')).toBe('true')
})

test('one short line says that the meeting is recorded, beside the longer one of Zoom', async () => {
  const { show } = openRoom()
  const words = () => screen.getAllByText(/record/i).map(({ textContent }) => textContent?.trim())
  expect(screen.queryByText(/record/i)).toBeNull()
  show({ sound: { is_recording: true } })
  await screen.findByText('Recording')
  expect(words()).toEqual(['Recording'])
})

test('says that an act failed', async () => {
  const { session, user } = openRoom()
  session.raiseHand = () => Promise.reject(new Error('no network'))
  await press(user, 'Ask to speak')
  await screen.findByText('That did not work. Please try again.')
})

test('no longer says that an act failed once the host has changed what the user may do', async () => {
  const { session, show, user } = openRoom()
  session.speak = () => Promise.reject(new Error('Zoom does not answer'))
  await press(user, 'Speak')
  await screen.findByText('That did not work. Please try again.')
  show({ now: { online: 43 } })
  expect(screen.queryByText('That did not work. Please try again.')).toBeTruthy()
  for (const is_muted of [true, false]) {
    show({ state: { is_muted } })
    expect(screen.queryByText('That did not work. Please try again.')).toBeNull()
  }
})

test('in a meeting a new version is one quiet line', async () => {
  openRoom({}, true)
  await screen.findByText('A new version is ready; it loads when you leave.')
  expect(screen.queryByRole('button', { name: 'Update now' })).toBeNull()
})

test.each([
  ['listening', {}],
  ['asked', { state: { asked_to_speak: true } }],
  ['muted', { state: { is_muted: true, wants_to_speak: true } }],
])('axe finds nothing: %s', async (_name, changes) => {
  openRoom(changes)
  const { violations } = await axe.run(document.body, { rules: { 'color-contrast': { enabled: false } } })
  expect(violations.map(({ id }) => id)).toEqual([])
})

const WORD: PhoneWord = {
  id: 'w1',
  to: 'room',
  text: 'We begin in five minutes',
  rings: false,
  asks: false,
  answer: null,
}
const withWords = (...list: PhoneWord[]) => ({ state: { words: { as_of: 'e-1', list } } })

test('a word of the host is announced, and leaves once it is read, with the focus on the heading', async () => {
  const { session, show, user } = openRoom()
  show(withWords(WORD))
  const word = screen.getByRole('region', { name: 'From the host, to everyone' })
  expect(word.closest('[aria-live="polite"]')?.textContent).toContain(WORD.text)
  await press(user, 'I have read it')
  expect(session.calls).toEqual(['join', 'confirmWord w1 read'])
  expect(document.activeElement?.tagName).toBe('H1')
  show(withWords())
  expect(screen.queryByText(WORD.text)).toBeNull()
})

test('a word that asks is answered by one tap, the answer may be changed, and a failure is said', async () => {
  const { session, show, user } = openRoom(withWords({ ...WORD, asks: true, answer: null }))
  await press(user, 'I hear badly')
  show(withWords({ ...WORD, asks: true, answer: 'well' }))
  expect(button('I hear well').getAttribute('aria-pressed')).toBe('true')
  expect(button('I hear badly').getAttribute('aria-pressed')).toBe('false')
  session.confirmWord = () => Promise.reject(new Error('no network'))
  await press(user, 'Close')
  await screen.findByText('That did not work. Please try again.')
  expect(session.calls).toEqual(['join', 'confirmWord w1 badly'])
})

test('of two answers in a row the last one counts, also while the first is being sent', async () => {
  const { session, user } = openRoom(withWords({ ...WORD, asks: true }))
  const first = Promise.withResolvers<void>()
  const sent: unknown[] = []
  session.confirmWord = async (_id, answer) => {
    if (sent.push(answer) === 1) await first.promise
  }
  await press(user, 'I hear badly')
  await press(user, 'I hear well')
  expect(sent).toEqual(['badly'])
  first.resolve()
  await waitFor(() => expect(sent).toEqual(['badly', 'well']))
})
