import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { eventLoopTurns } from '../../../test/event-loop-turns.ts'
import { APP_PORT, FRAME_READY, SOUND_OFF, type ToFrame } from '../../meeting/messages.ts'
import { FramedMeetingAudio } from './framed-meeting-audio.ts'

const ORIGIN = 'http://meeting.phone.localhost:3000'
const TICKET = {
  ...{ role: 0 as const, meeting_number: '1', passcode: 'secret', signature: 'signed', user_name: 'Anita' },
  ...{ customer_key: 'id', sdk_url: 'http://sdk.test', sdk_version: '6.2.0', join_url: 'http://zoom.test/j/1' },
  expires_at: '2026-11-21T10:00:00.000Z',
}
const container = document.createElement('div')

beforeEach(() => {
  container.replaceChildren()
  document.body.append(container)
})

afterEach(() => {
  vi.useRealTimers()
})

/** Joins, and returns the frame's side of the connection. */
function join() {
  const audio = new FramedMeetingAudio({ origin: ORIGIN, title: 'The meeting', language: 'en-US', container })
  const ended = vi.fn()
  audio.on('ended', ended)
  const joined = audio.join(TICKET).catch(() => {})
  const frame = container.querySelector('iframe')
  if (!frame?.contentWindow) throw new Error('There is no frame')
  const handed: MessagePort[] = []
  const target = frame.contentWindow
  const takePorts = (window: Window | null) =>
    Object.assign(window ?? {}, {
      postMessage(data: unknown, origin: string, ports: MessagePort[]) {
        expect([data, origin]).toEqual([APP_PORT, ORIGIN])
        handed.push(...ports)
      },
    })
  takePorts(target)
  const say = (data: unknown, origin = ORIGIN, source: Window = target) =>
    window.dispatchEvent(new MessageEvent('message', { data, origin, source }))
  return { audio, ended, joined, frame, handed, say, takePorts }
}

/** Answers each order of the app with success, or with the result of `answer`; undefined means no response. */
function obey(port: MessagePort | undefined, answer: (told: ToFrame) => string | null | undefined = () => null) {
  const heard: ToFrame[] = []
  if (!port) return heard
  port.onmessage = ({ data }) => {
    heard.push(data)
    const error = answer(data)
    if (error !== undefined) port.postMessage({ type: 'done', id: data.id, error })
  }
  return heard
}

/** Joins with an open microphone, then freezes time except for messages. */
async function speak(answer: (told: ToFrame) => string | null | undefined) {
  const { audio, ended, joined, frame, handed, say } = join()
  say(FRAME_READY)
  const [port] = handed
  const heard = obey(port, answer)
  await joined
  port?.postMessage({ type: 'state', state: { ...SOUND_OFF, audio: 'on', microphone: 'on' } })
  await expect.poll(() => audio.state.microphone).toBe('on')
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'performance'] })
  return { audio, ended, frame, types: () => heard.map(({ type }) => type) }
}

/** Yields to port messages too, which have their own task queue and ignore fake timers. */
async function pass(ms: number) {
  for (let passed = 0; passed < ms; passed += 100) {
    await vi.advanceTimersByTimeAsync(100)
    await eventLoopTurns(3)
  }
}

test('hands the port and the ticket to its own frame alone, and never the rest of the ticket', async () => {
  const { audio, joined, handed, say } = join()
  say(FRAME_READY, 'http://evil.test')
  say(FRAME_READY, ORIGIN, window)
  say({ type: FRAME_READY })
  expect(handed).toEqual([])
  say(FRAME_READY)
  const heard = obey(handed[0])
  await joined
  const { role: _role, join_url: _url, expires_at: _at, ...ticket } = TICKET
  expect(heard).toEqual([{ type: 'join', id: 1, ticket, language: 'en-US' }])
  await audio.leave()
})

test('a frame whose page is loaded once more has lost the meeting, and gets no second port', async () => {
  const { audio, ended, joined, frame, handed, say } = join()
  say(FRAME_READY)
  obey(handed[0])
  await joined
  say(FRAME_READY)
  expect(handed).toHaveLength(1)
  expect(ended.mock.calls).toEqual([[null]])
  expect(audio.state).toEqual({ ...SOUND_OFF, audio: 'lost' })
  expect(frame.isConnected).toBe(false)
})

test('a frame that had not loaded is loaded again as soon as there is a network, and one in the meeting is not', async () => {
  const { audio, ended, joined, frame, handed, say, takePorts } = join()
  const cutOff = frame.contentWindow
  frame.dispatchEvent(new Event('load')) // the browser's error page
  window.dispatchEvent(new Event('online'))
  const again = frame.contentWindow
  if (!cutOff || !again) throw new Error('There is no frame')
  expect(again === cutOff).toBe(false)
  takePorts(again)
  say(FRAME_READY, ORIGIN, cutOff)
  expect(handed).toEqual([])
  say(FRAME_READY, ORIGIN, again)
  obey(handed[0])
  frame.dispatchEvent(new Event('load'))
  await joined
  window.dispatchEvent(new Event('online'))
  expect([frame.contentWindow === again, ended.mock.calls]).toEqual([true, []])
  await audio.leave()
})

test('a mute holds the microphone first, and is done once Zoom has switched it off', async () => {
  const { audio, types } = await speak(() => null)
  await audio.mute()
  expect(types()).toEqual(['join', 'hold', 'microphone'])
})

test('a frame that does not hold the microphone within a second is cut off', async () => {
  const { audio, ended, frame, types } = await speak(({ type }) => (type === 'join' ? null : undefined))
  const muted = audio.mute()
  await pass(900)
  expect([frame.isConnected, types()]).toEqual([true, ['join', 'hold']])
  await pass(200)
  await muted
  expect([frame.isConnected, ended.mock.calls]).toEqual([false, [[null]]])
})

test('a mute that Zoom refuses while it connects again is tried again, and the frame stays', async () => {
  let refusals = 3
  const { audio, frame, types } = await speak(({ type }) =>
    type === 'microphone' && refusals-- > 0 ? 'reconnecting socket!' : null,
  )
  const muted = audio.mute()
  await pass(700)
  await muted
  expect([frame.isConnected, types().filter((type) => type === 'microphone').length]).toEqual([true, 4])
})

test.each([
  ['refuses', 'reconnecting socket!'],
  ['does not answer', undefined],
])('a mute that Zoom %s for two and a half seconds ends the frame', async (_what, answer) => {
  const { audio, ended, frame } = await speak(({ type }) => (type === 'microphone' ? answer : null))
  const muted = audio.mute()
  await pass(2_300)
  expect(frame.isConnected).toBe(true)
  await pass(400)
  await muted
  expect([frame.isConnected, ended.mock.calls]).toEqual([false, [[null]]])
})

test('the frame may run scripts on its own site, and not take the whole page elsewhere', async () => {
  const { audio, frame } = join()
  const allowed = frame.getAttribute('sandbox')?.split(' ')
  expect(allowed).toEqual(expect.arrayContaining(['allow-scripts', 'allow-same-origin']))
  expect(allowed?.filter((name) => name.startsWith('allow-top-navigation'))).toEqual([])
  await audio.leave()
})
