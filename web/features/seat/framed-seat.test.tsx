import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { buildAttendee } from '../../../test/factories/attendees.ts'
import { SEAT_LEFT, SEAT_PORT, SEAT_READY } from '../../seat/messages.ts'
import { FramedSeat } from './framed-seat.ts'

const ORIGIN = 'http://meeting.phone.localhost:3000'
const LEFT = { type: 'ended', reason: 'left', zoom_code: null }
const container = document.createElement('div')
beforeEach(() => document.body.append(container))
afterEach(() => container.remove())

/** Opens the frame, and returns its side of the connection. */
function open({ hasSound = false } = {}) {
  const seat = new FramedSeat({ url: `${ORIGIN}/seat`, title: 'The seat', container, hasSound })
  const [message, gone] = [vi.fn(), vi.fn()]
  seat.on('message', message)
  seat.on('gone', gone)
  const opened = seat.open()
  opened.catch(() => {})
  const frame = container.querySelector('iframe')
  const target = frame?.contentWindow
  if (!frame || !target) throw new Error('There is no frame')
  const handed: MessagePort[] = []
  Object.assign(target, {
    postMessage(data: unknown, origin: string, ports: MessagePort[]) {
      expect([data, origin]).toEqual([SEAT_PORT, ORIGIN])
      handed.push(...ports)
    },
  })
  const say = (data: unknown, origin = ORIGIN, source: Window = target) =>
    window.dispatchEvent(new MessageEvent('message', { data, origin, source }))
  return { seat, opened, frame, handed, say, message, gone }
}

test('hands the port to its own frame alone', async () => {
  const { seat, opened, handed, say } = open()
  say(SEAT_READY, 'http://evil.test')
  say(SEAT_READY, ORIGIN, window)
  say({ type: SEAT_READY })
  expect(handed).toEqual([])
  say(SEAT_READY)
  await opened
  expect(handed).toHaveLength(1)
  seat.close()
})

test('passes on what is a message, and nothing else', async () => {
  const { seat, opened, handed, say, message } = open()
  say(SEAT_READY)
  await opened
  handed[0]?.postMessage({ type: 'people', full: 'yes' })
  handed[0]?.postMessage('ended')
  handed[0]?.postMessage({ type: 'speaking', keys: ['lee'] })
  await vi.waitFor(() => expect(message.mock.calls).toEqual([[{ type: 'speaking', keys: ['lee'] }]]))
  seat.close()
})

test('passes on what it knows of a message with unknown fields', async () => {
  const { seat, opened, handed, say, message } = open()
  say(SEAT_READY)
  await opened
  const { user_id, by, suggestion, is_allowed, joined_at, ...lee } = buildAttendee({ key: 'lee' })
  const people = { type: 'people', full: true, attendees: [lee], left: [] }
  handed[0]?.postMessage({ type: 'rooms', attendees: [lee] }) // no kind of message that is known
  handed[0]?.postMessage({ ...people, attendees: { lee } })
  handed[0]?.postMessage({ ...people, attendees: [{ ...lee, email: 'lee@example.com' }], pages: 2 })
  await vi.waitFor(() => expect(message.mock.calls).toEqual([[people]]))
  seat.close()
})

test('passes on nothing for which the server would refuse each report', async () => {
  const { seat, opened, handed, say, message } = open()
  say(SEAT_READY)
  await opened
  const { user_id, by, suggestion, is_allowed, joined_at, ...lee } = buildAttendee({ key: 'lee' })
  const people = (fields: object) => ({ type: 'people', full: true, attendees: [{ ...lee, ...fields }], left: [] })
  const refused = [
    { type: 'done', id: 'c'.repeat(65), outcome: 'done' },
    { type: 'guarded', key: 'lee', times: -1 },
    { type: 'guarded', key: 'k'.repeat(129), times: 1 },
    { type: 'speaking', keys: ['k'.repeat(129)] },
    { type: 'people', full: false, attendees: [], left: ['a\0b'] },
    ...[{ name: 'a\0' }, { name: '\ud83d' }, { customer_key: '\ud83d' }, { key: '\0' }].map(people),
  ]
  for (const one of [...refused, people({ name: '😀' })]) handed[0]?.postMessage(one)
  await vi.waitFor(() => expect(message).toHaveBeenCalled())
  expect(message.mock.calls).toEqual([[people({ name: '😀' })]])
  seat.close()
})

test('a frame that Zoom’s own button has left ends the seat', async () => {
  const { seat, opened, say, message } = open()
  say(SEAT_READY)
  await opened
  say(SEAT_LEFT, 'http://evil.test')
  expect(message).not.toHaveBeenCalled()
  say(SEAT_LEFT)
  expect(message.mock.calls).toEqual([[LEFT]])
  seat.close()
})

test('a frame whose page is loaded once more gets no second port, and is gone', async () => {
  const { opened, frame, handed, say, gone } = open()
  say(SEAT_READY)
  await opened
  say(SEAT_READY)
  expect([handed.length, gone.mock.calls.length, frame.isConnected]).toEqual([1, 1, false])
})

test('a frame that is closed before it has loaded is not waited for', async () => {
  const { seat, opened, frame } = open()
  seat.close()
  await expect(opened).rejects.toThrow('left')
  expect(frame.isConnected).toBe(false)
})

test('it may neither use the microphone nor take the whole page elsewhere', () => {
  const { seat, frame } = open()
  expect(frame.allow).toBe('')
  const allowed = frame.getAttribute('sandbox')?.split(' ') ?? []
  expect(allowed).toContain('allow-scripts')
  expect(allowed.filter((name) => name.startsWith('allow-top-navigation'))).toEqual([])
  seat.close()
})

test('with sound it may use the microphone and play, and nothing else', () => {
  const { seat, frame } = open({ hasSound: true })
  expect(frame.allow).toBe('microphone; autoplay')
  seat.close()
})
