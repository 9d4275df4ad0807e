import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { MicrophoneAccess } from '../zoom/observe-microphone.ts'
import type { ZoomMtg, ZoomMtgEventName } from '../zoom/zoom-mtg.ts'
import type { FrameTicket } from './messages.ts'
import { ZoomMeetingAudio } from './zoom-meeting-audio.ts'

const TICKET: FrameTicket = {
  ...{ meeting_number: '1', passcode: 'secret', signature: 'signed', user_name: 'Anita', customer_key: 'id' },
  ...{ sdk_url: 'https://sdk.test', sdk_version: '6.2.0' },
}
const USER_ID = 16_778_240

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

/** Simulates Zoom: `self` is its own user, `mutes` records the calls with their times. */
function buildZoom(refuse: { join?: object; mute?: object; isHeld?: boolean } = {}, switchesAfter = 0) {
  const self = { userId: USER_ID, muted: true, audio: '' }
  const joins: object[] = []
  const mutes: { mute: boolean; at: number }[] = []
  const microphone = { isHeld: false, dropsNext: false }
  let letIn = () => {}
  let ordered: { mute: boolean; reads: number } | null = null
  const listeners = new Map<ZoomMtgEventName, (data: unknown) => void>()
  const zoom: ZoomMtg = {
    setZoomJSLib() {},
    preLoadWasm() {},
    prepareWebSDK() {},
    i18n: { load() {}, onLoad: (run) => run() },
    init: ({ success }) => success({}),
    join({ success, error, ...options }) {
      joins.push(options)
      if (refuse.join) error(refuse.join)
      else if (refuse.isHeld) letIn = () => success({})
      else success({})
    },
    getCurrentUser({ success }) {
      if (ordered && ordered.reads++ >= switchesAfter) self.muted = ordered.mute
      success({ result: { currentUser: { ...self } } })
    },
    getAttendeeslist: ({ success }) => success({ result: { attendeesList: [{}, {}, {}] } }),
    mute({ mute, success, error }) {
      mutes.push({ mute, at: Date.now() })
      if (microphone.dropsNext) {
        microphone.dropsNext = false
        return
      }
      if (refuse.mute) return error(refuse.mute)
      ordered = { mute, reads: 0 }
      success({})
    },
    leaveMeeting: ({ success }) => success({}),
    inMeetingServiceListener: (event, callback) => listeners.set(event, callback),
  }
  const emit = async (event: ZoomMtgEventName, data: unknown = {}) => {
    listeners.get(event)?.(data)
    await vi.advanceTimersByTimeAsync(0)
  }
  const tapJoinAudio = () => {
    self.audio = 'computer'
    return emit('onUserUpdate')
  }
  const load = async () => zoom
  let allow: (access: MicrophoneAccess) => void = () => {}
  const audio = new ZoomMeetingAudio({
    ...{ leaveUrl: 'https://meeting.test/left', language: 'en-US', load },
    observe: (onChange) => {
      allow = onChange
      return {
        hold() {
          microphone.isHeld = true
        },
        release() {
          microphone.isHeld = false
        },
      }
    },
  })
  return {
    audio,
    self,
    joins,
    mutes,
    microphone,
    emit,
    letIn: () => letIn(),
    tapJoinAudio,
    allow: (access: MicrophoneAccess) => allow(access),
  }
}

test('is on once the person has tapped Join Audio, muted, and knows how many are there', async () => {
  const { audio, joins, tapJoinAudio } = buildZoom()
  await audio.join(TICKET)
  expect(audio.state).toMatchObject({ audio: 'ready', microphone: 'off' })
  expect(joins).toEqual([
    { signature: 'signed', meetingNumber: '1', userName: 'Anita', passWord: 'secret', customerKey: 'id' },
  ])
  await tapJoinAudio()
  await vi.advanceTimersByTimeAsync(2_000)
  expect(audio.state).toMatchObject({ audio: 'on', microphone: 'off', people: 3 })
})

test('switches the microphone no more often than Zoom takes it', async () => {
  const { audio, mutes, tapJoinAudio } = buildZoom()
  await audio.join(TICKET)
  await tapJoinAudio()
  const calls = Promise.all([audio.unmute(), audio.mute(), audio.mute()])
  await vi.advanceTimersByTimeAsync(3_000)
  await calls
  expect(mutes.map(({ mute }) => mute)).toEqual([false, true])
  expect((mutes[1]?.at ?? 0) - (mutes[0]?.at ?? 0)).toBeGreaterThan(1_000)
  expect(audio.state.microphone).toBe('off')
})

test('is muted only once Zoom shows it as muted, which it answers too early', async () => {
  const { audio, self, tapJoinAudio } = buildZoom({}, 10)
  await audio.join(TICKET)
  await tapJoinAudio()
  const opened = audio.unmute()
  await vi.advanceTimersByTimeAsync(2_000)
  await opened
  const wasMuted = audio.mute().then(() => self.muted)
  await vi.advanceTimersByTimeAsync(2_000)
  expect(await wasMuted).toBe(true)
})

test('a mute that Zoom does not carry out fails', async () => {
  const { audio, tapJoinAudio } = buildZoom({}, Number.POSITIVE_INFINITY)
  await audio.join(TICKET)
  await tapJoinAudio()
  const opened = expect(audio.unmute()).rejects.toThrow('does not switch')
  await vi.advanceTimersByTimeAsync(4_000)
  await opened
})

test('an unmute waits while Zoom takes two seconds', async () => {
  const { audio, tapJoinAudio } = buildZoom({}, 70)
  await audio.join(TICKET)
  await tapJoinAudio()
  const opened = audio.unmute()
  await vi.advanceTimersByTimeAsync(2_500)
  await opened
  expect(audio.state.microphone).toBe('on')
})

test('an unmute that is still waited for is given up for a mute', async () => {
  const { audio, microphone, tapJoinAudio } = buildZoom({}, Number.POSITIVE_INFINITY)
  await audio.join(TICKET)
  await tapJoinAudio()
  const refused = expect(audio.unmute()).rejects.toThrow('does not switch')
  await vi.advanceTimersByTimeAsync(500)
  const muted = audio.mute()
  await vi.advanceTimersByTimeAsync(100)
  await Promise.all([muted, refused])
  expect(microphone.isHeld).toBe(true)
})

test('is silent from the moment of the mute, however long Zoom takes, until Zoom shows it as muted', async () => {
  const { audio, self, microphone, tapJoinAudio } = buildZoom({}, 10)
  await audio.join(TICKET)
  await tapJoinAudio()
  const opened = audio.unmute()
  await vi.advanceTimersByTimeAsync(2_000)
  await opened
  expect(microphone.isHeld).toBe(false)
  const again = audio.mute()
  expect(microphone.isHeld).toBe(true)
  await vi.advanceTimersByTimeAsync(100)
  expect([self.muted, microphone.isHeld]).toEqual([false, true])
  await vi.advanceTimersByTimeAsync(2_000)
  await again
  expect([self.muted, microphone.isHeld]).toEqual([true, false])
})

test('is silent from the moment of a mute that follows an unmute, which Zoom carries out first', async () => {
  const { audio, self, microphone, tapJoinAudio } = buildZoom()
  await audio.join(TICKET)
  await tapJoinAudio()
  const orders = [audio.unmute(), audio.mute()]
  await vi.advanceTimersByTimeAsync(500)
  expect([self.muted, microphone.isHeld]).toEqual([false, true])
  await vi.advanceTimersByTimeAsync(1_000)
  await Promise.all(orders)
  expect([self.muted, microphone.isHeld]).toEqual([true, false])
})

describe('a speaker whose line to Zoom breaks', () => {
  const RECONNECTING = { meetingStatus: 4 }
  const CONNECTED = { meetingStatus: 2 }

  async function speakUntilItBreaks(zoom: ReturnType<typeof buildZoom>) {
    await zoom.audio.join(TICKET)
    await zoom.tapJoinAudio()
    const opened = zoom.audio.unmute()
    await vi.advanceTimersByTimeAsync(2_000)
    await opened
    expect(zoom.audio.state).toMatchObject({ audio: 'on', microphone: 'on' })
    await zoom.emit('onMeetingStatus', RECONNECTING)
  }

  test('is silent at once, and muted before the sound is back', async () => {
    const zoom = buildZoom({}, 10)
    await speakUntilItBreaks(zoom)
    const states: string[] = []
    zoom.audio.on('change', ({ audio, microphone }) => states.push(`${audio} ${microphone}`))
    expect(zoom.audio.state).toMatchObject({ audio: 'lost', microphone: 'off' })
    expect(zoom.microphone.isHeld).toBe(true)
    await zoom.emit('onMeetingStatus', CONNECTED)
    expect(zoom.microphone.isHeld).toBe(true)
    await vi.advanceTimersByTimeAsync(2_000)
    expect(states).toEqual(['on off'])
    expect(zoom.mutes.map(({ mute }) => mute)).toEqual([false, true])
    expect(zoom.microphone.isHeld).toBe(false)
  })

  test.each([true, false])(
    'an answer that comes before Zoom has reconnected is no return (muted: %s)',
    async (muted) => {
      const zoom = buildZoom()
      await speakUntilItBreaks(zoom)
      zoom.self.muted = muted
      await zoom.emit('onUserUpdate')
      await vi.advanceTimersByTimeAsync(2_000)
      expect(zoom.audio.state).toMatchObject({ audio: 'lost', microphone: 'off' })
      expect([zoom.microphone.isHeld, zoom.mutes]).toMatchObject([true, [{ mute: false }]])
      zoom.self.muted = false
      await zoom.emit('onMeetingStatus', { meetingStatus: 1 })
      await zoom.emit('onMeetingStatus', CONNECTED)
      await vi.advanceTimersByTimeAsync(2_000)
      expect([zoom.self.muted, zoom.audio.state.audio, zoom.microphone.isHeld]).toEqual([true, 'on', false])
    },
  )

  test('stays silent when a mute comes in between', async () => {
    const zoom = buildZoom()
    await speakUntilItBreaks(zoom)
    await zoom.audio.mute()
    expect(zoom.microphone.isHeld).toBe(true)
    await zoom.emit('onMeetingStatus', CONNECTED)
    await vi.advanceTimersByTimeAsync(2_000)
    expect([zoom.self.muted, zoom.microphone.isHeld]).toEqual([true, false])
  })

  test('leaves the meeting, still silent, when Zoom does not mute', async () => {
    const zoom = buildZoom()
    await speakUntilItBreaks(zoom)
    const ended = vi.fn()
    zoom.audio.on('ended', ended)
    zoom.microphone.dropsNext = true
    await zoom.emit('onMeetingStatus', CONNECTED)
    await vi.advanceTimersByTimeAsync(3_000)
    expect(ended).toHaveBeenCalledWith(null)
    expect(zoom.microphone.isHeld).toBe(true)
  })

  test('may speak again once back', async () => {
    const zoom = buildZoom()
    await speakUntilItBreaks(zoom)
    await zoom.emit('onMeetingStatus', CONNECTED)
    await vi.advanceTimersByTimeAsync(2_000)
    const opened = zoom.audio.unmute()
    await vi.advanceTimersByTimeAsync(2_000)
    await opened
    expect([zoom.audio.state.microphone, zoom.microphone.isHeld]).toEqual(['on', false])
  })
})

test('a mute that Zoom drops without a word fails within its limit, stays silent, and can be tried again', async () => {
  const { audio, self, mutes, microphone, tapJoinAudio } = buildZoom()
  await audio.join(TICKET)
  await tapJoinAudio()
  await audio.unmute()
  microphone.dropsNext = true
  const dropped = expect(audio.mute()).rejects.toThrow('does not answer')
  await vi.advanceTimersByTimeAsync(2_100)
  await dropped
  expect([self.muted, microphone.isHeld]).toEqual([false, true])
  const again = audio.mute()
  await vi.advanceTimersByTimeAsync(100)
  await again
  expect([self.muted, microphone.isHeld, mutes.length]).toEqual([true, false, 3])
})

test("sees that the microphone was switched by Zoom's own button", async () => {
  const { audio, self, emit, tapJoinAudio } = buildZoom()
  await audio.join(TICKET)
  await tapJoinAudio()
  self.muted = false
  await emit('onUserUpdate')
  expect(audio.state.microphone).toBe('on')
})

test('mutes a host, whom Zoom lets in with an open microphone', async () => {
  const { audio, self, mutes, tapJoinAudio } = buildZoom()
  await audio.join(TICKET)
  self.muted = false
  await tapJoinAudio()
  await vi.advanceTimersByTimeAsync(1_100)
  expect(mutes.map(({ mute }) => mute)).toEqual([true])
  expect(audio.state).toMatchObject({ audio: 'on', microphone: 'off' })
})

test('hears itself among those who speak', async () => {
  const { audio, emit, tapJoinAudio } = buildZoom()
  await audio.join(TICKET)
  await tapJoinAudio()
  await emit('onActiveSpeaker', [
    { userId: 1, userName: 'Ben' },
    { userId: USER_ID, userName: 'Anita' },
  ])
  expect([audio.level, audio.state.speaking]).toEqual([1, ['Ben', 'Anita']])
})

test('ends a voice 3 s after Zoom has last named it, since Zoom never says that nobody speaks', async () => {
  const { audio, self, emit, tapJoinAudio } = buildZoom()
  await audio.join(TICKET)
  await tapJoinAudio()
  self.muted = false
  await emit('onUserUpdate')
  const [ben, anita] = [
    { userId: 1, userName: 'Ben' },
    { userId: USER_ID, userName: 'Anita' },
  ]
  await emit('onActiveSpeaker', [ben, anita])
  await vi.advanceTimersByTimeAsync(2_900)
  await emit('onActiveSpeaker', [ben])
  expect([audio.level, audio.state.speaking]).toEqual([1, ['Ben', 'Anita']])
  await vi.advanceTimersByTimeAsync(200)
  expect([audio.level, audio.state.speaking]).toEqual([0, ['Ben']])
  await vi.advanceTimersByTimeAsync(2_900)
  expect(audio.state.speaking).toEqual([])
})

test('ends its own voice as soon as its microphone is closed', async () => {
  const { audio, self, emit, tapJoinAudio } = buildZoom()
  await audio.join(TICKET)
  await tapJoinAudio()
  self.muted = false
  await emit('onUserUpdate')
  await emit('onActiveSpeaker', [{ userId: USER_ID, userName: 'Anita' }])
  self.muted = true
  await emit('onUserUpdate')
  expect([audio.level, audio.state.speaking]).toEqual([0, []])
})

test('is blocked when the sound stops without the meeting', async () => {
  const { audio, self, emit, tapJoinAudio } = buildZoom()
  await audio.join(TICKET)
  await tapJoinAudio()
  self.audio = ''
  await emit('onUserUpdate')
  expect(audio.state.audio).toBe('blocked')
})

test.each([
  [{ reasonCode: 1 }, 'meeting_ended'],
  [{ reasonCode: 6, userId: USER_ID }, 'removed'],
  [{ reasonCode: 7 }, 'not_admitted'],
])('ends as Zoom says: %j', async (data, trouble) => {
  const { audio, emit, tapJoinAudio } = buildZoom()
  const ended = vi.fn()
  audio.on('ended', ended)
  await audio.join(TICKET)
  await tapJoinAudio()
  await emit('onUserLeave', data)
  await emit('onMeetingStatus', { meetingStatus: 3 })
  expect(ended.mock.calls).toEqual([[trouble]])
  expect(audio.state).toMatchObject({ audio: 'lost', trouble })
})

test.each([2, 3, 4, 5, 8])('left by Zoom’s own interface (%i) is left, and not lost', async (reasonCode) => {
  const { audio, emit, tapJoinAudio } = buildZoom()
  const ended = vi.fn()
  audio.on('ended', ended)
  await audio.join(TICKET)
  await tapJoinAudio()
  await emit('onUserLeave', { reason: 'You are leave meeting by yourself', reasonCode })
  await emit('onMeetingStatus', { meetingStatus: 3 })
  expect(ended.mock.calls).toEqual([['left']])
  expect(audio.state).toMatchObject({ audio: 'off', trouble: null })
})

test('that another one leaves ends nothing', async () => {
  const { audio, emit } = buildZoom()
  await audio.join(TICKET)
  await emit('onUserLeave', { userId: USER_ID + 1, reasonCode: 2 })
  expect(audio.state.audio).toBe('ready')
})

test.each([
  [{ errorCode: 3008, errorMessage: 'The meeting has not started' }, 'host_absent'],
  [{ errorCode: 3712, errorMessage: 'Signature is invalid' }, 'refused'],
  [{ errorCode: 4006, errorMessage: 'The meeting is locked' }, 'refused'],
  [{ errorCode: 4005, errorMessage: 'The meeting is full' }, 'join_failed'],
])('a join that Zoom refuses with %j has its trouble, and the code', async (join, trouble) => {
  const { audio } = buildZoom({ join })
  await expect(audio.join(TICKET)).rejects.toThrow(join.errorMessage)
  expect(audio.state).toMatchObject({ audio: 'lost', trouble, zoom_code: join.errorCode })
})

test.each([
  [4, 5, 'host_absent'],
  [6, 7, 'waiting_room'],
])('waits as long as Zoom does, and goes on then (%i, %i)', async (begun, over, trouble) => {
  const { audio, emit, letIn } = buildZoom({ isHeld: true })
  const joined = audio.join(TICKET)
  await vi.advanceTimersByTimeAsync(100)
  await emit('onJoinSpeed', { level: begun })
  await vi.advanceTimersByTimeAsync(600_000)
  expect(audio.state).toMatchObject({ audio: 'joining', trouble })
  await emit('onJoinSpeed', { level: over })
  letIn()
  await joined
  expect(audio.state).toMatchObject({ audio: 'ready', trouble: null })
})

test('a wait in the meeting’s anteroom that Zoom ends is over', async () => {
  const { audio, emit } = buildZoom({ isHeld: true })
  const ended = vi.fn()
  audio.on('ended', ended)
  void audio.join(TICKET).catch(() => {})
  await vi.advanceTimersByTimeAsync(100)
  await emit('onJoinSpeed', { level: 6 })
  await emit('onMeetingStatus', { meetingStatus: 3 })
  expect(ended.mock.calls).toEqual([[null]])
})

test.each(['refused', 'missing'] as const)(
  'without a microphone (%s) it is heard, and the state says why',
  async (why) => {
    const { audio, tapJoinAudio, allow } = buildZoom({ mute: { errorCode: 1, errorMessage: 'No' } })
    await audio.join(TICKET)
    allow(why)
    await tapJoinAudio()
    expect(audio.state).toMatchObject({ audio: 'on', microphone: why })
    await expect(audio.unmute()).rejects.toThrow('No')
    expect(audio.state.microphone).toBe(why)
  },
)

describe('a speaker whose microphone the system silences', () => {
  async function speakUntilSilenced(dropsNext = false) {
    const zoom = buildZoom()
    await zoom.audio.join(TICKET)
    await zoom.tapJoinAudio()
    const opened = zoom.audio.unmute()
    await vi.advanceTimersByTimeAsync(2_000)
    await opened
    zoom.microphone.dropsNext = dropsNext
    zoom.allow('silenced')
    await vi.advanceTimersByTimeAsync(0)
    return zoom
  }

  test('is shown so at once, and muted, also when it is back', async () => {
    const { audio, self, microphone, allow } = await speakUntilSilenced()
    expect(audio.state.microphone).toBe('silenced')
    await vi.advanceTimersByTimeAsync(2_000)
    expect([self.muted, audio.state.microphone, microphone.isHeld]).toEqual([true, 'silenced', false])
    allow('off')
    await vi.advanceTimersByTimeAsync(2_000)
    expect([self.muted, audio.state.microphone]).toEqual([true, 'off'])
  })

  test('is shown as off, never as heard, if the silence ends before Zoom has muted', async () => {
    const { audio, self, allow } = await speakUntilSilenced()
    await vi.advanceTimersByTimeAsync(2_000)
    const states: string[] = []
    audio.on('change', ({ microphone }) => states.push(microphone))
    audio.unmute().catch(() => {})
    while (self.muted) await vi.advanceTimersByTimeAsync(50)
    await vi.advanceTimersByTimeAsync(50) // its mute has begun
    allow('off')
    await vi.advanceTimersByTimeAsync(4_000)
    expect([self.muted, states.filter((state) => state === 'on'), audio.state.microphone]).toEqual([true, [], 'off'])
  })

  test('cannot open it meanwhile, and can once it is back', async () => {
    const { audio, self, allow } = await speakUntilSilenced()
    await vi.advanceTimersByTimeAsync(2_000)
    const states: string[] = []
    audio.on('change', ({ microphone }) => states.push(microphone))
    const refused = expect(audio.unmute()).rejects.toThrow('has silenced')
    await vi.advanceTimersByTimeAsync(4_000)
    await refused
    expect([self.muted, states]).toEqual([true, []])
    allow('off')
    const opened = audio.unmute()
    await vi.advanceTimersByTimeAsync(2_000)
    await opened
    expect(audio.state.microphone).toBe('on')
  })

  test('leaves the meeting when Zoom does not mute', async () => {
    const { audio } = await speakUntilSilenced(true)
    const ended = vi.fn()
    audio.on('ended', ended)
    await vi.advanceTimersByTimeAsync(4_000)
    expect(ended).toHaveBeenCalledWith(null)
  })
})

describe('an unmute that Zoom answers too late', () => {
  async function giveUpUnmute() {
    const zoom = buildZoom()
    await zoom.audio.join(TICKET)
    await zoom.tapJoinAudio()
    zoom.microphone.dropsNext = true
    const refused = expect(zoom.audio.unmute()).rejects.toThrow('does not answer')
    await vi.advanceTimersByTimeAsync(1_500)
    await refused
    const states = new Set<string>()
    zoom.audio.on('change', ({ microphone }) => states.add(microphone))
    const openLate = () => {
      zoom.self.muted = false
      return zoom.emit('onUserUpdate')
    }
    return { ...zoom, states, openLate }
  }

  test('opens nothing: the microphone is held, and muted once it is open at Zoom', async () => {
    const { audio, self, mutes, microphone, states, openLate } = await giveUpUnmute()
    expect(microphone.isHeld).toBe(true)
    await openLate()
    await vi.advanceTimersByTimeAsync(2_000)
    expect([self.muted, microphone.isHeld, states.has('on')]).toEqual([true, false, false])
    expect(mutes.map(({ mute }) => mute)).toEqual([false, true])
    const opened = audio.unmute()
    await vi.advanceTimersByTimeAsync(2_000)
    await opened
    expect(states.has('on')).toBe(true)
  })

  test('opens nothing after a mute either, which finds it closed', async () => {
    const { audio, self, microphone, states, openLate } = await giveUpUnmute()
    await audio.mute()
    expect(microphone.isHeld).toBe(true)
    await openLate()
    await vi.advanceTimersByTimeAsync(2_000)
    expect([self.muted, microphone.isHeld, states.has('on')]).toEqual([true, false, false])
  })

  test('is what a second one asks for', async () => {
    const { audio, self, microphone, states, openLate } = await giveUpUnmute()
    const opened = audio.unmute()
    await openLate()
    await vi.advanceTimersByTimeAsync(2_000)
    await opened
    expect([self.muted, microphone.isHeld, states]).toEqual([false, false, new Set(['on'])])
  })
})
