import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { EventEmitter } from 'eventemitter3'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createSchedule, type Schedule } from '../../../shared/phone/schedule.ts'
import { eventLoopTurns } from '../../../test/event-loop-turns.ts'
import type { MeetingAudio, MeetingAudioEvents, SoundState, SoundTrouble } from '../../meeting/meeting-audio.ts'
import { SOUND_OFF } from '../../meeting/messages.ts'
import { SoundKeeper } from './sound-keeper.ts'

class FakeAudio extends EventEmitter<MeetingAudioEvents> implements MeetingAudio {
  state: SoundState = SOUND_OFF
  level = 0
  ticket = ''
  async join({ signature }: { signature: string }) {
    this.ticket = signature
    this.set({ ...SOUND_OFF, audio: 'on' })
  }
  async leave() {
    this.end('left')
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
  end(trouble: SoundTrouble | 'left' | null, zoom_code: number | null = null) {
    this.set(trouble === 'left' ? SOUND_OFF : { ...SOUND_OFF, audio: 'lost', trouble, zoom_code })
    this.emit('ended', trouble)
  }
}

let tickets = 0
let refusal: { status: number; code: string; host_presence?: 'absent' | 'unknown' } | null = null
const server = createServer((_request, response) => answer(response))
const joined: FakeAudio[] = []
const waits: number[] = []
let states: SoundState[] = []
let schedule: Schedule

beforeEach(async () => {
  ;[tickets, refusal, states] = [0, null, []]
  joined.length = 0
  waits.length = 0
  schedule = createSchedule()
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
})
afterEach(async () => {
  schedule.close()
  server.closeAllConnections()
  await new Promise((done) => server.close(done))
})

function answer(response: ServerResponse) {
  tickets += 1
  const ticket = {
    ...{
      meeting_number: '1',
      passcode: 'secret',
      signature: `ticket ${tickets}`,
      user_name: 'Anita',
      customer_key: 'id',
    },
    ...{
      role: 0,
      sdk_url: 'http://sdk',
      sdk_version: '6.2.0',
      join_url: 'http://join',
      expires_at: new Date(0).toISOString(),
    },
  }
  const { status = 200, ...details } = refusal ?? {}
  const body = refusal ? { success: false, message: 'No', ...details } : { success: true, data: ticket }
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

/** Builds a keeper whose pauses take no time. */
function keep() {
  return keepWith({
    ...schedule,
    wait: async (ms, signal) => {
      waits.push(ms)
      return !signal?.aborted
    },
  })
}

/** Builds a keeper whose pauses last until they are aborted or ended here, and whose timers run on demand here. */
function keepByHand() {
  const pauses: (() => void)[] = []
  const spreads: { ms: number; run: () => void }[] = []
  const keeper = keepWith(
    {
      ...schedule,
      wait: (_ms, signal) =>
        new Promise((resolve) => {
          pauses.push(() => resolve(true))
          signal?.addEventListener('abort', () => resolve(false))
        }),
      after(ms, run) {
        spreads.push({ ms, run })
        return () => {}
      },
    },
    (_low, high) => high,
  )
  return { keeper, pauses, spreads }
}

function keepWith(timers: Schedule, between = (low: number, _high: number) => low) {
  const keeper = new SoundKeeper({
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    token: 'token',
    schedule: timers,
    random: { between },
    createAudio() {
      const audio = new FakeAudio()
      joined.push(audio)
      return audio
    },
    onTicket() {},
    onChange: (state) => states.push(state),
    onLevel() {},
  })
  keeper.join()
  return keeper
}

test('joins again with a fresh ticket after the sound is lost, and muted', async () => {
  const keeper = keep()
  await expect.poll(() => joined.length).toBe(1)
  await keeper.unmute()
  joined[0]?.end(null)
  await expect.poll(() => joined.map(({ ticket }) => ticket)).toEqual(['ticket 1', 'ticket 2'])
  expect(keeper.state).toMatchObject({ audio: 'on', microphone: 'off' })
  await keeper.leave()
})

test.each([
  ['absent', 'host_absent'],
  ['unknown', 'host_unknown'],
] as const)('says what is known of the host while it waits: %s', async (host_presence, trouble) => {
  refusal = { status: 409, code: 'host_not_present', host_presence }
  const keeper = keep()
  await expect.poll(() => waits.length).toBeGreaterThan(1)
  expect(Math.min(...waits)).toBeGreaterThanOrEqual(10_000)
  expect(states.at(-1)).toMatchObject({ audio: 'joining', trouble })
  await keeper.leave()
})

test('waits for the host without asking more often than the server allows', async () => {
  refusal = { status: 409, code: 'host_not_present' }
  const keeper = keep()
  await expect.poll(() => waits.length).toBeGreaterThan(1)
  expect(Math.min(...waits)).toBeGreaterThanOrEqual(10_000)
  expect(states.at(-1)).toMatchObject({ audio: 'joining', trouble: 'host_absent' })
  refusal = null
  await expect.poll(() => joined.length).toBe(1)
  await keeper.leave()
})

test('asks at once when the meeting has begun, and not after a pause of another kind', async () => {
  refusal = { status: 409, code: 'host_not_present' }
  const { keeper, pauses, spreads } = keepByHand()
  await expect.poll(() => pauses.length).toBe(1)
  refusal = null
  keeper.handleMeetingStatus({ is_running: true, spread_ms: 800 })
  expect(spreads.map(({ ms }) => ms)).toEqual([800])
  spreads[0]?.run()
  await expect.poll(() => joined.length).toBe(1)

  joined[0]?.end('join_failed', 4005)
  await expect.poll(() => pauses.length).toBe(2)
  keeper.handleMeetingStatus({ is_running: true, spread_ms: 800 })
  spreads[1]?.run()
  await eventLoopTurns(5)
  expect(tickets).toBe(2)
  await keeper.leave()
})

test.each(['first', 'last'])(
  'says that the meeting is over where Parley hears that %s, until the next one',
  async (when) => {
    const { keeper, pauses, spreads } = keepByHand()
    await expect.poll(() => joined.length).toBe(1)
    refusal = { status: 409, code: 'host_not_present' }
    const over = () => keeper.handleMeetingStatus({ is_running: false, spread_ms: 0 })
    if (when === 'first') over()
    expect(states.at(-1)).toMatchObject({ audio: 'on', trouble: null })
    joined[0]?.end(null)
    await expect.poll(() => pauses.length).toBe(1)
    if (when === 'last') over()
    expect(states.at(-1)).toMatchObject({ trouble: 'meeting_ended' })

    pauses[0]?.() // the server refuses the next attempt, since the host is absent
    await expect.poll(() => pauses.length).toBe(2)
    expect(states.at(-1)).toMatchObject({ audio: 'joining', trouble: 'meeting_ended' })
    refusal = null
    keeper.handleMeetingStatus({ is_running: true, spread_ms: 0 })
    spreads[0]?.run()
    await expect.poll(() => joined.length).toBe(2)
    expect(states.at(-1)).toMatchObject({ audio: 'on', trouble: null })
    joined[1]?.end(null)
    await expect.poll(() => pauses.length).toBe(3)
    expect(states.at(-1)).toMatchObject({ trouble: null }) // a lost connection
    await keeper.leave()
  },
)

test('does not come back by itself after the host has removed it', async () => {
  const keeper = keep()
  await expect.poll(() => joined.length).toBe(1)
  joined[0]?.end('removed')
  await expect.poll(() => states.at(-1)).toMatchObject({ audio: 'off', trouble: 'removed' })
  expect([keeper.isWanted, tickets]).toEqual([false, 1])
})

test.each(['refused', 'not_admitted'] as const)('does not try again by itself when %s', async (trouble) => {
  const keeper = keep()
  await expect.poll(() => joined.length).toBe(1)
  joined[0]?.end(trouble, 3712)
  await expect.poll(() => states.at(-1)).toMatchObject({ audio: 'off', trouble, zoom_code: 3712 })
  expect([keeper.isWanted, tickets]).toEqual([false, 1])
})

test('keeps the news of a refusal that may heal while it tries again', async () => {
  const keeper = keep()
  await expect.poll(() => joined.length).toBe(1)
  states = []
  joined[0]?.end('join_failed', 4005)
  await expect.poll(() => joined.length).toBe(2)
  expect(states.find(({ audio }) => audio === 'joining')).toMatchObject({ trouble: 'join_failed', zoom_code: 4005 })
  await keeper.leave()
})

test('that Parley does not answer is not called a refusal of Zoom’s', async () => {
  refusal = { status: 503, code: 'busy' }
  const keeper = keep()
  await expect.poll(() => states.at(-1)).toMatchObject({ audio: 'joining', trouble: 'unreachable' })
  server.closeAllConnections()
  await new Promise((done) => server.close(done))
  await expect.poll(() => waits.length).toBeGreaterThan(2)
  expect(states.at(-1)).toMatchObject({ audio: 'joining', trouble: 'unreachable' })
  await keeper.leave()
})

test('gives up where the room has no meeting', async () => {
  refusal = { status: 409, code: 'room_not_connected' }
  const keeper = keep()
  await expect.poll(() => states.at(-1)).toMatchObject({ audio: 'off', trouble: 'not_connected' })
  expect([keeper.isWanted, joined.length]).toEqual([false, 0])
})

test("leaving by Zoom's own button is leaving", async () => {
  const keeper = keep()
  await expect.poll(() => joined.length).toBe(1)
  joined[0]?.end('left')
  await expect.poll(() => keeper.isWanted).toBe(false)
  expect([tickets, states.at(-1)]).toEqual([1, SOUND_OFF])
})

test('stays out of the meeting while nobody can mute it', async () => {
  const keeper = keep()
  await expect.poll(() => joined.length).toBe(1)
  keeper.setReachable(false)
  joined[0]?.end(null)
  await expect.poll(() => waits.length).toBe(1)
  expect(tickets).toBe(1)
  keeper.setReachable(true)
  await expect.poll(() => joined.length).toBe(2)
  await keeper.leave()
})

test('stays away once it has left, also when the connection comes back', async () => {
  const keeper = keep()
  await expect.poll(() => joined.length).toBe(1)
  keeper.setReachable(false)
  joined[0]?.end(null)
  await expect.poll(() => waits.length).toBe(1)
  await keeper.leave()
  keeper.setReachable(true)
  await eventLoopTurns(5)
  expect([states.at(-1), tickets]).toEqual([SOUND_OFF, 1])
})
