import { beforeEach, expect, test, vi } from 'vitest'
import { APP_PORT, FRAME_READY, SILENCE } from '../../meeting/messages.ts'
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

/** Joins, and plays the frame's side. */
function join() {
  const audio = new FramedMeetingAudio({ origin: ORIGIN, title: 'The meeting', language: 'en-US', container })
  const ended = vi.fn()
  audio.on('ended', ended)
  const joined = audio.join(TICKET).catch(() => {})
  const frame = container.querySelector('iframe')
  if (!frame?.contentWindow) throw new Error('There is no frame')
  const handed: MessagePort[] = []
  const target = frame.contentWindow
  Object.assign(target, {
    postMessage(data: unknown, origin: string, ports: MessagePort[]) {
      expect([data, origin]).toEqual([APP_PORT, ORIGIN])
      handed.push(...ports)
    },
  })
  const say = (data: unknown, origin = ORIGIN, source: Window = target) =>
    window.dispatchEvent(new MessageEvent('message', { data, origin, source }))
  return { audio, ended, joined, frame, handed, say }
}

/** What the frame is told, each answered with success. */
function obey(port: MessagePort | undefined) {
  const heard: unknown[] = []
  if (!port) return heard
  port.onmessage = ({ data }) => {
    heard.push(data)
    port.postMessage({ type: 'done', id: data.id, error: null })
  }
  return heard
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
  expect(audio.state).toEqual({ ...SILENCE, audio: 'lost' })
  expect(frame.isConnected).toBe(false)
})

test('the frame may run scripts on its own site, and not take the whole page elsewhere', async () => {
  const { audio, frame } = join()
  const allowed = frame.getAttribute('sandbox')?.split(' ')
  expect(allowed).toEqual(expect.arrayContaining(['allow-scripts', 'allow-same-origin']))
  expect(allowed?.filter((name) => name.startsWith('allow-top-navigation'))).toEqual([])
  await audio.leave()
})
