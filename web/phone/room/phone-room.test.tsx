import { EventEmitter } from 'eventemitter3'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { HEARTBEAT_MS } from '../../../shared/room-events.ts'
import type { MeetingAudio, MeetingAudioEvents, SoundState } from '../../meeting/meeting-audio.ts'
import { SOUND_OFF } from '../../meeting/messages.ts'
import { PhoneRoom } from './phone-room.ts'
import { Ringer } from './ringer.ts'

class FakeAudio extends EventEmitter<MeetingAudioEvents> implements MeetingAudio {
  state: SoundState = SOUND_OFF
  level = 0
  async join() {
    this.set({ ...SOUND_OFF, audio: 'on' })
  }
  async leave() {
    this.set(SOUND_OFF)
    this.emit('ended', 'left')
  }
  async mute() {
    this.set({ ...this.state, microphone: 'off' })
  }
  async unmute() {
    this.set({ ...this.state, microphone: 'on' })
  }
  set(state: SoundState) {
    this.state = state
    this.emit('change', state)
  }
}

const LOGIN = {
  token: 'token',
  user: { id: 'anita', user_id: 'U000001', username: 'anita', reference: null, is_host: false },
  room: { room_id: 'room', room_name: 'Room', zoom_meeting_id: '1' },
  app: { user_title: null, helpline: null, message: null, logo_url: null, allow_recording: true },
}
const TICKET = {
  ...{
    role: 0,
    meeting_number: '1',
    passcode: 'secret',
    signature: 'signed',
    user_name: 'anita',
    customer_key: 'anita',
  },
  ...{ sdk_url: 'http://sdk.test', sdk_version: '6.2.0', join_url: 'http://zoom.test/j/1' },
  expires_at: '2026-11-21T10:00:00.000Z',
}

/** False while Parley's stream cannot be opened; `cut` ends the open one. */
let isUp: boolean
let cut = () => {}
let send = (_event: string, _data: object) => {}
/** While set, connections stay open without any response, as with a frozen server. */
let frozen: PromiseWithResolvers<void> | null
/** The server's state of the phone, from its reports. */
let state: object
/** The status with which the server refuses status calls. */
let refusal: number | null
/** The status with which the server refuses confirmations of words. */
let wordStatus = 404
/** The phone's status calls. */
let reports: { awake?: boolean; wants_to_speak?: boolean; declined?: boolean; left?: boolean; rejoined?: boolean }[]
/** Calls that outlive the page. */
let lasting: string[]
let audio: FakeAudio
let room: PhoneRoom

beforeEach(() => {
  isUp = true
  frozen = null
  refusal = null
  reports = []
  lasting = []
  state = { is_muted: false, speaker_on: false, wants_to_speak: false, is_speaking: false, host_mute_all_active: false }
  vi.useFakeTimers()
  vi.spyOn(Math, 'random').mockReturnValue(0) // makes every pause the shortest
  vi.stubGlobal(
    'AudioContext',
    class {
      resume() {}
      close() {}
    },
  )
  vi.stubGlobal(
    'fetch',
    async (url: string, init: { body?: string; signal?: AbortSignal; keepalive?: boolean } = {}) => {
      const { body, signal, keepalive } = init
      if (keepalive) lasting.push(body ?? '')
      if (frozen) {
        const aborted = new Promise((_resolve, reject) => signal?.addEventListener('abort', reject))
        await Promise.race([frozen.promise, aborted])
      }
      const path = new URL(url).pathname.replace('/api/mobile/', '')
      if (path === 'status' && refusal) {
        return Response.json({ success: false, message: 'No' }, { status: refusal, headers: { 'retry-after': '1' } })
      }
      if (path.startsWith('words/')) return Response.json({ success: false, message: 'No' }, { status: wordStatus })
      if (path === 'status') reports.push(JSON.parse(body ?? '{}'))
      if (path === 'status') state = { ...state, ...JSON.parse(body ?? '{}') }
      return answer(path)
    },
  )
})
afterEach(() => {
  room.close()
  vi.useRealTimers()
  vi.restoreAllMocks()
})

function answer(path: string): Response {
  const data = {
    status: state,
    room: { online: 1, speaking: [], waiting: 0, queue_place: null },
    'join-ticket': TICKET,
  }
  if (path in data) return Response.json({ success: true, data: Reflect.get(data, path) })
  if (path === 'logout') return Response.json({ success: true, message: 'Logged out successfully' })
  if (!isUp) return new Response(null, { status: 503 })
  if (path === 'sse-session') return Response.json({ success: true, sessionId: 's', sseUrl: '/api/mobile/events' })
  const stream = new ReadableStream({
    start(controller) {
      cut = () => controller.close()
      send = (event, data) =>
        controller.enqueue(new TextEncoder().encode(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`))
    },
  })
  return new Response(stream)
}

async function openRoom() {
  audio = new FakeAudio()
  room = new PhoneRoom('http://phone.localhost:3000', LOGIN, () => audio)
  room.join(document.body)
  await vi.advanceTimersByTimeAsync(100)
  expect(audio.state.audio).toBe('on')
}
const microphone = () => audio.state.microphone
const openMicrophone = async () => {
  await room.speak()
  return microphone()
}

test('says that Speak did not work, unless the screen has the reason', async () => {
  await openRoom()
  audio.unmute = async () => {
    throw new Error('Zoom does not answer')
  }
  await expect(room.speak()).rejects.toThrow('does not answer')
  audio.set({ ...audio.state, microphone: 'silenced' })
  await expect(room.speak()).resolves.toBeUndefined()
})

test('a phone that nobody can mute for five seconds is silent until it is found again', async () => {
  await openRoom()
  expect(await openMicrophone()).toBe('on')
  isUp = false
  cut()
  await vi.advanceTimersByTimeAsync(4_900)
  expect([microphone(), room.view.connection]).toEqual(['on', 'lost'])
  await vi.advanceTimersByTimeAsync(200)
  expect(microphone()).toBe('off')

  expect(await openMicrophone()).toBe('off')
  audio.set({ ...audio.state, microphone: 'on' }) // through Zoom's own button
  expect(microphone()).toBe('off')

  isUp = true
  await vi.advanceTimersByTimeAsync(20_000)
  expect([room.view.connection, await openMicrophone()]).toEqual(['open', 'on'])
})

test('a phone is silent five seconds after its server hangs, though its stream stays open', async () => {
  await openRoom()
  expect(await openMicrophone()).toBe('on')
  await vi.advanceTimersByTimeAsync(10_000)
  expect([microphone(), room.view.connection]).toEqual(['on', 'open'])
  frozen = Promise.withResolvers()
  await vi.advanceTimersByTimeAsync(5_000)
  expect([microphone(), room.view.connection, room.view.now]).toEqual(['off', 'lost', null])
  expect(await openMicrophone()).toBe('off')

  frozen.resolve()
  frozen = null
  await vi.advanceTimersByTimeAsync(30_000)
  expect([room.view.connection, await openMicrophone()]).toEqual(['open', 'on'])
  expect(room.view.now).not.toBeNull()
})

test('a turn counts by the server’s clock, and ends with the mute', async () => {
  await openRoom()
  const server = Date.parse('2026-11-28T10:00:00Z') // far from this phone's clock
  const at = (ms: number) => new Date(server + ms).toISOString()
  send('test', { server_time: at(0) })
  send('turn', { user_id: 'ben', since: at(0), limit_minutes: 5, ends_muted: false })
  await vi.advanceTimersByTimeAsync(10)
  expect(room.view.turn).toBeNull()
  send('turn', { user_id: 'anita', since: at(-20_000), limit_minutes: 5, ends_muted: false })
  await vi.advanceTimersByTimeAsync(10)
  const begun = room.view.turn
  expect(begun?.limitMinutes).toBe(5)
  send('turn', { user_id: 'anita', since: at(-5_000), limit_minutes: 5, ends_muted: false })
  await vi.advanceTimersByTimeAsync(10)
  expect((room.view.turn?.since ?? 0) - (begun?.since ?? 0)).toBe(15_000)
  send('user-mute-status', { user_id: 'anita', is_muted: true, by: 'system' })
  await vi.advanceTimersByTimeAsync(10)
  expect(room.view.turn).toBeNull()
})

test('a phone whose stream has never opened does not open its microphone', async () => {
  isUp = false
  await openRoom()
  await vi.advanceTimersByTimeAsync(5_000)
  expect([room.view.connection, await openMicrophone()]).toEqual(['connecting', 'off'])
})

test('a hidden page says in each heartbeat that it sleeps, unless it can be heard', async () => {
  await openRoom()
  const heartbeats = async () => {
    reports = []
    await vi.advanceTimersByTimeAsync(2 * HEARTBEAT_MS)
    return [...new Set(reports.map(({ awake = true }) => awake))]
  }
  expect(await heartbeats()).toEqual([true])
  const hidden = vi.spyOn(document, 'hidden', 'get').mockReturnValue(true)
  document.dispatchEvent(new Event('visibilitychange'))
  expect(await heartbeats()).toEqual([false])
  expect(await openMicrophone()).toBe('on')
  expect(await heartbeats()).toEqual([true])
  await room.stopSpeaking()
  hidden.mockReturnValue(false)
  document.dispatchEvent(new Event('visibilitychange'))
  expect(await heartbeats()).toEqual([true])
})

test('a hand and an answer tapped without a network are sent when it is back, and shown as unsent until then', async () => {
  state = { ...state, is_muted: true, asked_to_speak: true }
  await openRoom()
  expect(room.view.state.asked_to_speak).toBe(true)
  window.dispatchEvent(new Event('offline'))
  await Promise.all([room.raiseHand(), room.decline()])
  expect(room.view).toMatchObject({ unsent_hand: true, unsent_no: true, state: { asked_to_speak: false } })
  await vi.advanceTimersByTimeAsync(2 * HEARTBEAT_MS)
  expect(state).toMatchObject({ wants_to_speak: false, asked_to_speak: true })
  reports = []
  window.dispatchEvent(new Event('online'))
  await vi.advanceTimersByTimeAsync(2 * HEARTBEAT_MS)
  expect(room.view).toMatchObject({ unsent_hand: null, unsent_no: false, state: { wants_to_speak: true } })
  expect(reports.filter(({ wants_to_speak, declined }) => wants_to_speak && declined)).toHaveLength(1)
})

test('a hand whose call fails for a while shows as unsent, and one that is refused says so', async () => {
  await openRoom()
  refusal = 503
  await room.raiseHand()
  expect(room.view).toMatchObject({ unsent_hand: true, state: { wants_to_speak: false } })
  refusal = null
  await vi.advanceTimersByTimeAsync(2 * HEARTBEAT_MS)
  expect(room.view).toMatchObject({ unsent_hand: null, state: { wants_to_speak: true } })
  refusal = 404
  await expect(room.lowerHand()).rejects.toThrow()
  expect(room.view).toMatchObject({ unsent_hand: null, state: { wants_to_speak: true } })
})

describe('whoever leaves the room', () => {
  const left = () => reports.filter((report) => report.left).length

  test('is said to have left, once and last, by a call that outlives the page', async () => {
    await openRoom()
    await room.leaveSound()
    room.close()
    room.close()
    await vi.advanceTimersByTimeAsync(2 * HEARTBEAT_MS)
    expect([left(), reports.at(-1), lasting]).toEqual([1, { left: true }, ['{"left":true}']])
  })

  test('and joins again at once, does so after that call has been answered', async () => {
    await openRoom()
    const slow = Promise.withResolvers<void>()
    frozen = slow
    room.close()
    frozen = null
    reports = []
    await openRoom()
    await vi.advanceTimersByTimeAsync(1_000)
    expect(reports).toEqual([])
    slow.resolve()
    await vi.advanceTimersByTimeAsync(100)
    expect(reports.slice(0, 2)).toMatchObject([{ left: true }, { rejoined: true }])
    await vi.advanceTimersByTimeAsync(HEARTBEAT_MS)
    expect(reports.filter((report) => report.rejoined)).toHaveLength(1)
  })

  test('and whose last call gets no answer can join again all the same', async () => {
    await openRoom()
    frozen = Promise.withResolvers<void>()
    room.close()
    frozen = null
    reports = []
    await openRoom()
    await vi.advanceTimersByTimeAsync(3_000)
    expect(reports.at(0)).toMatchObject({ rejoined: true })
  })

  test('for another tab is still there', async () => {
    await openRoom()
    room.close('other_tab')
    await vi.advanceTimersByTimeAsync(2 * HEARTBEAT_MS)
    expect(left()).toBe(0)
  })
})

test('a word rings once, from the stream or an answer, and one that is gone leaves when it is confirmed', async () => {
  const ring = vi.spyOn(Ringer.prototype, 'ring')
  const word = { id: 'w1', to: 'room', text: 'We begin soon', rings: true, asks: false, answer: null }
  await openRoom()
  send('word', { as_of: 'e-1', to: 'room', word })
  await vi.advanceTimersByTimeAsync(10)
  expect(room.view.state.words?.list).toEqual([word])
  state = { ...state, words: { as_of: 'e-1', list: [word] } }
  await vi.advanceTimersByTimeAsync(HEARTBEAT_MS)
  expect(ring).toHaveBeenCalledTimes(1)
  const silent = { ...word, id: 'w2', rings: false }
  state = { ...state, words: { as_of: 'e-2', list: [silent] } }
  await vi.advanceTimersByTimeAsync(HEARTBEAT_MS)
  expect([room.view.state.words?.list, ring.mock.calls.length]).toEqual([[silent], 1])
  wordStatus = 404
  await room.confirmWord('w2')
  expect(room.view.state.words?.list).toEqual([])
  wordStatus = 503
  await expect(room.confirmWord('w2')).rejects.toThrow()
})
