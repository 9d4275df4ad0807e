import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { buildStrictZoom, EFFECT_MS } from '../../test/zoom/strict-zoom.ts'
import { FromSeat } from './messages.ts'

beforeEach(() => {
  vi.useFakeTimers()
  sessionStorage.clear()
})
afterEach(() => {
  vi.useRealTimers()
})

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms)

async function seated(self: Parameters<typeof buildStrictZoom>[0] = {}, people = 0) {
  const zoom = buildStrictZoom(self)
  for (let id = 1; id <= people; id++) zoom.add(id)
  await zoom.join()
  return zoom
}

describe('joining', () => {
  test('is silent, survives a reload, listens first, and leaves nothing of a former seat in the storage', async () => {
    sessionStorage.setItem('WEB_CLIENT_ZTK', 'a token')
    const zoom = await seated({}, 1)
    expect(zoom.inits).toMatchObject([
      { leaveUrl: 'https://meeting.test/seat/left', disableJoinAudio: true, leaveOnPageUnload: false },
    ])
    expect(zoom.joins).toEqual([
      {
        ...{ signature: 'signed', meetingNumber: '1', userName: 'Parley', passWord: 'secret' },
        ...{ customerKey: 'seat-1', zak: 'zak', kept: 0, listens: true },
      },
    ])
    expect(zoom.take('state').at(-1)).toMatchObject({ powers: 'host', connection: 'in', trouble: null })
    expect(zoom.take('people')).toMatchObject([
      {
        full: true,
        attendees: [
          { key: 'uuid-100', is_self: true, is_host: true, muted: null, audio: '' },
          { key: 'uuid-1', zoom_user_id: 1, name: 'Guest 1', muted: false, audio: 'computer', customer_key: null },
        ],
      },
    ])
    for (const message of zoom.sent) expect(FromSeat.parse(message)).toEqual(message)
  })

  test('with sound shows Zoom’s own button for it', async () => {
    const zoom = buildStrictZoom()
    await zoom.join({ isSilent: false })
    expect(zoom.inits).toMatchObject([{ disableJoinAudio: false, audioPanelAlwaysOpen: true }])
  })

  test('with sound holds the microphone before Zoom’s program starts, plays nothing, and mutes itself', async () => {
    const zoom = buildStrictZoom()
    zoom.holdMicrophone.mockImplementation(() => expect(zoom.inits).toEqual([]))
    await zoom.join({ isSilent: false })
    expect(zoom.holdMicrophone).toHaveBeenCalledOnce()
    expect([zoom.named('stopIncomingAudio').length, zoom.take('state').at(-1)?.sound]).toEqual([1, 'ready'])
    zoom.change(100, { audio: 'computer', muted: false })
    await pass(300)
    expect(zoom.take('state').at(-1)?.sound).toBe('on')
    expect(zoom.named('mute')).toMatchObject([{ id: 100, muted: true }])
    zoom.change(100, { muted: false }) // by Zoom's own button
    await pass(2_000)
    expect(zoom.named('mute')).toMatchObject([{ id: 100 }, { id: 100, muted: true }])
    zoom.change(100, { audio: '', muted: null })
    await pass(10)
    expect(zoom.take('state').at(-1)?.sound).toBe('ready')
    expect(zoom.named('stopIncomingAudio').length).toBe(1) // Zoom refuses a second one
  })

  test('with sound mutes itself without powers too', async () => {
    const zoom = buildStrictZoom({ isHost: false })
    await zoom.join({ isSilent: false })
    zoom.change(100, { audio: 'computer', muted: false })
    await pass(300)
    expect(zoom.named('mute')).toMatchObject([{ id: 100, muted: true }])
  })

  test('without sound touches neither the microphone nor what is played', async () => {
    const zoom = await seated()
    zoom.change(100, { audio: 'computer', muted: false }) // Zoom itself let it
    await pass(300)
    expect([zoom.holdMicrophone.mock.calls, zoom.named('stopIncomingAudio'), zoom.named('mute')]).toEqual([[], [], []])
    expect(zoom.take('state').every(({ sound }) => sound === 'off')).toBe(true)
  })

  test.each([
    [10_000, 'sdk_too_old'],
    [3_623, 'ticket_refused'],
    [3_711, 'other_meeting'],
    [4_008, 'elsewhere'],
    [3_009, 'removed'],
    [4_005, 'full'],
    [4_006, 'locked'],
    [3_712, 'join_failed'],
  ] as const)('refused by Zoom with %i ends with %s', async (errorCode, reason) => {
    const zoom = buildStrictZoom({ refuse: { join: { errorCode } } })
    await zoom.join()
    expect(zoom.take('ended')).toEqual([{ type: 'ended', reason, zoom_code: errorCode }])
  })

  test('into the waiting room says so, and goes on once the seat is let in', async () => {
    const zoom = await seated({ isHold: true, isHost: false }, 1)
    expect(zoom.take('state').at(-1)).toMatchObject({ connection: 'joining', trouble: 'waiting_room' })
    expect(zoom.take('people')).toEqual([])
    zoom.change(100, { isHold: false, isCoHost: true })
    await pass(10)
    expect(zoom.take('state').at(-1)).toMatchObject({ connection: 'in', trouble: null, powers: 'co-host' })
    expect(zoom.take('people')).toMatchObject([{ full: true }])
    zoom.lock()
    zoom.change(100, { isHold: true })
    await pass(10)
    zoom.change(1, { muted: false })
    await pass(2_000)
    expect(zoom.named('mute')).toEqual([])
  })

  test('that is left before Zoom has answered leaves nobody in the meeting', async () => {
    const zoom = buildStrictZoom({ refuse: { isSlow: true } })
    await zoom.join()
    zoom.receive({ type: 'leave', id: 'l' })
    await pass(10)
    expect(zoom.outcomes()).toEqual(['l done'])
    zoom.calls.length = 0
    zoom.letIn()
    await pass(10)
    expect(zoom.calls.map(({ name }) => name)).toEqual(['leaveMeeting'])
    expect([zoom.take('ended').length, zoom.take('people')]).toEqual([1, []])
  })

  test('works once', async () => {
    const zoom = await seated()
    await zoom.join()
    expect(zoom.joins.length).toBe(1)
  })
})

describe('people', () => {
  test('are reported when they change, at most four times a second', async () => {
    const zoom = await seated({}, 2)
    await pass(300)
    const before = zoom.take('people').length
    for (let id = 10; id < 60; id++) {
      zoom.add(id)
      await pass(20)
    }
    zoom.leave(1)
    await pass(300)
    const reports = zoom.take('people').slice(before)
    expect(reports.length).toBeLessThanOrEqual(6)
    expect(reports.every(({ full }) => !full)).toBe(true)
    expect(reports.flatMap(({ attendees }) => attendees).length).toBe(50)
    expect(reports.at(-1)?.left).toEqual(['uuid-1'])
  })

  test('who are in the meeting twice have two keys, and one who comes back has the same', async () => {
    const zoom = await seated()
    zoom.add(1, { participantUUID: 'same' })
    zoom.add(2, { participantUUID: 'same' })
    zoom.add(3, { participantUUID: '' })
    await pass(300)
    const keys = () => zoom.take('people').flatMap(({ attendees }) => attendees.map(({ key }) => key))
    expect(keys()).toEqual(['uuid-100', 'same', 'u2', 'u3'])
    zoom.leave(1)
    zoom.leave(2)
    zoom.add(4, { participantUUID: 'same' })
    await pass(300)
    expect(zoom.take('people').at(-1)).toMatchObject({
      attendees: [{ key: 'same', zoom_user_id: 4 }],
      left: ['u2'],
    })
  })

  test('with values that Zoom should not send are taken as far as they go, and the others are kept', async () => {
    const zoom = await seated()
    await zoom.emit('onUserJoin', { userId: 'x' })
    await zoom.emit('onUserUpdate', null)
    zoom.add(1, { userName: 'a'.repeat(5_000), customerKey: 'k'.repeat(200), audio: 'fax', isCoHost: true })
    await pass(300)
    const [person] = zoom.take('people').at(-1)?.attendees ?? []
    expect(person).toMatchObject({ name: 'a'.repeat(1_024), customer_key: 'k'.repeat(64), audio: '', is_co_host: true })
    for (const message of zoom.sent) expect(FromSeat.parse(message)).toEqual(message)
  })

  test('a list of an unknown form changes nothing, and shows nothing as done', async () => {
    const zoom = await seated({}, 1)
    await pass(300)
    zoom.fault.isIdle = true
    for (const list of [null, 'no list', [], { attendeesList: 'none' }, { people: [] }]) {
      zoom.fault.list = { result: list }
      zoom.order(`c${JSON.stringify(list)}`, 'mute', 1)
      await pass(10_000)
    }
    expect(zoom.outcomes().map((outcome) => outcome.split(' ').at(-1))).toEqual(Array(5).fill('timeout'))
    zoom.fault.list = null
    zoom.add(2)
    await pass(300)
    const known = zoom.take('people').flatMap(({ attendees, left }) => [...attendees.map(({ key }) => key), ...left])
    expect([...new Set(known)].toSorted()).toEqual(['uuid-1', 'uuid-100', 'uuid-2'])
    expect(zoom.take('people').flatMap(({ left }) => left)).toEqual([])
  })

  test('with fields that are unknown are reported without them', async () => {
    const zoom = await seated()
    zoom.add(1, { avatar: 'https://zoom.test/face.png', email: 'lee@example.com' } as never)
    await pass(300)
    const [person] = zoom.take('people').at(-1)?.attendees ?? []
    expect(person).toMatchObject({ key: 'uuid-1', name: 'Guest 1' })
    expect(JSON.stringify(zoom.sent)).not.toMatch(/avatar|face\.png|email|lee@example/)
  })

  test.each([
    [`a${'😀'.repeat(600)}`, `a${'😀'.repeat(511)}\ufffd`], // the cut would halve a pair
    ['Li\0sa', 'Li\ufffdsa'],
    ['Li\ud83dsa', 'Li\ufffdsa'],
  ])('with names that no server can store are reported without what is broken (%#)', async (userName, name) => {
    const zoom = await seated()
    zoom.add(1, { userName, customerKey: userName, participantUUID: userName })
    await pass(300)
    const [person] = zoom.take('people').at(-1)?.attendees ?? []
    expect(person).toMatchObject({ name, key: 'u1' })
    expect(person?.customer_key?.isWellFormed()).toBe(true)
    expect(person?.customer_key).not.toContain('\0')
  })

  test('who come into the waiting room by the hundred cost a few readings of the list', async () => {
    const zoom = await seated()
    const before = zoom.lists.read
    for (let id = 1; id <= 200; id++) {
      zoom.add(id, { isHold: true, audio: '', muted: null })
      await zoom.emit('onUserIsInWaitingRoom', { isInWaitingRoom: true, userId: id, self: false })
    }
    await pass(1_000)
    expect(zoom.lists.read - before).toBeLessThan(4)
    expect(zoom.take('people').at(-1)?.attendees.at(-1)).toMatchObject({ zoom_user_id: 200, is_hold: true })
  })

  test('are all reported again after the connection was lost', async () => {
    const zoom = await seated({}, 1)
    await zoom.emit('onMeetingStatus', { meetingStatus: 4 })
    expect(zoom.take('state').at(-1)).toMatchObject({ connection: 'reconnecting' })
    zoom.users.delete(1)
    zoom.add(2)
    await pass(300)
    await zoom.emit('onMeetingStatus', { meetingStatus: 2 })
    await pass(300)
    expect(zoom.take('people').at(-1)).toMatchObject({
      full: true,
      attendees: [{ zoom_user_id: 100 }, { zoom_user_id: 2 }],
    })
    expect(zoom.take('state').at(-1)).toMatchObject({ connection: 'in' })
  })
})

describe('who speaks', () => {
  test('is known for 3 s after Zoom has last named them, three at most, the last ones first', async () => {
    const zoom = await seated({}, 5)
    await zoom.speak(1, 2)
    await zoom.speak(3, 4)
    await zoom.speak(3, 4)
    expect(zoom.take('speaking').map(({ keys }) => keys)).toEqual([
      ['uuid-1', 'uuid-2'],
      ['uuid-3', 'uuid-4', 'uuid-1'],
    ])
    zoom.change(3, { muted: true })
    expect(zoom.take('speaking').at(-1)?.keys).toEqual(['uuid-4', 'uuid-1', 'uuid-2'])
    await pass(3_100)
    expect(zoom.take('speaking').at(-1)?.keys).toEqual([])
  })

  test('is not to be seen if Zoom names nobody for a minute while a microphone is open', async () => {
    const zoom = await seated()
    await pass(61_000)
    expect(zoom.take('state').at(-1)).toMatchObject({ can_see_speaking: true })
    zoom.add(1)
    await pass(61_000)
    expect(zoom.take('state').at(-1)).toMatchObject({ can_see_speaking: false })
    await zoom.speak(1)
    expect(zoom.take('state').at(-1)).toMatchObject({ can_see_speaking: true })
  })
})

describe('commands', () => {
  test('are done once the list shows it, not when Zoom has sent them', async () => {
    const zoom = await seated({}, 1)
    zoom.order('a', 'mute', 1)
    await pass(50)
    expect([zoom.calls.length, zoom.outcomes()]).toEqual([1, []])
    await pass(100)
    expect(zoom.outcomes()).toEqual(['a done'])
  })

  test('to mute go out one a second, and none is lost to Zoom’s limit', async () => {
    const zoom = await seated({}, 4)
    for (const id of [1, 2, 3, 4]) zoom.order(`m${id}`, 'mute', id)
    await pass(4_000)
    expect(zoom.outcomes()).toEqual(['m1 done', 'm2 done', 'm3 done', 'm4 done'])
    const gaps = zoom.calls.slice(1).map(({ at }, index) => at - (zoom.calls[index]?.at ?? 0))
    expect(Math.min(...gaps)).toBeGreaterThan(1_000)
    expect(Math.max(...gaps)).toBeLessThan(1_100)
  })

  test('that Zoom drops are tried once more, and then are said to be dropped', async () => {
    const zoom = await seated({}, 2)
    zoom.fault.drops = 1
    zoom.order('a', 'mute', 1)
    await pass(1_300)
    expect(zoom.outcomes()).toEqual(['a done'])
    zoom.fault.drops = 2
    zoom.order('b', 'mute', 2)
    await pass(3_000)
    expect(zoom.outcomes()).toEqual(['a done', 'b dropped-by-zoom'])
    expect(zoom.calls.length).toBe(4)
  })

  test('that Zoom sends without effect time out after 5 s', async () => {
    const zoom = await seated({}, 1)
    zoom.fault.isIdle = true
    zoom.order('a', 'mute', 1)
    await pass(4_900)
    expect(zoom.outcomes()).toEqual([])
    await pass(200)
    expect(zoom.outcomes()).toEqual(['a timeout'])
  })

  test('whose event is lost are confirmed by a fresh list', async () => {
    const zoom = await seated({}, 1)
    zoom.fault.isIdle = true
    zoom.order('a', 'mute', 1)
    const person = zoom.users.get(1)
    if (person) zoom.users.set(1, { ...person, muted: true })
    await pass(1_400)
    expect(zoom.outcomes()).toEqual([])
    await pass(200)
    expect(zoom.outcomes()).toEqual(['a done'])
  })

  test('are refused with Zoom’s code, and for somebody who has gone need no call', async () => {
    const zoom = await seated({}, 1)
    zoom.order('gone', 'mute', 77)
    zoom.order('none', 'mute')
    zoom.fault.error = { errorCode: 4000 }
    zoom.order('a', 'mute', 1)
    await pass(10)
    expect(zoom.take('done')).toEqual([
      { type: 'done', id: 'gone', outcome: 'gone' },
      { type: 'done', id: 'none', outcome: 'gone' },
      { type: 'done', id: 'a', outcome: 'refused', code: 4000 },
    ])
    expect(zoom.calls.length).toBe(1)
  })

  test('without powers are refused before Zoom is called, but for taking the host’s role back', async () => {
    const zoom = await seated({ isHost: false }, 1)
    expect(zoom.take('state').at(-1)).toMatchObject({ powers: 'none' })
    zoom.order('a', 'mute', 1)
    zoom.order('b', 'mute-all')
    zoom.change(1, { muted: true })
    zoom.order('all muted', 'mute-all')
    await pass(10)
    expect([zoom.outcomes(), zoom.calls]).toEqual([['a refused', 'b refused', 'all muted refused'], []])
    zoom.change(1, { muted: false })
    zoom.order('c', 'reclaim-host')
    await pass(200)
    expect(zoom.outcomes().at(-1)).toBe('c done')
    zoom.order('d', 'mute', 1)
    await pass(200)
    expect(zoom.outcomes().at(-1)).toBe('d done')
  })

  test('of a guest made co-host work, and no longer once that is taken back', async () => {
    const zoom = await seated({ isHost: false }, 2)
    zoom.change(100, { isCoHost: true })
    await pass(10)
    expect(zoom.take('state').at(-1)).toMatchObject({ powers: 'co-host' })
    zoom.order('a', 'mute', 1)
    await pass(200)
    zoom.change(100, { isCoHost: '' })
    await pass(10)
    zoom.order('b', 'mute', 2)
    await pass(10)
    expect(zoom.outcomes()).toEqual(['a done', 'b refused'])
  })

  test('run once, and are answered again', async () => {
    const zoom = await seated({}, 1)
    zoom.order('a', 'remove', 1)
    zoom.order('a', 'remove', 1)
    await pass(200)
    zoom.order('a', 'remove', 1)
    await pass(200)
    expect([zoom.outcomes(), zoom.calls.length]).toEqual([['a done', 'a done'], 1])
  })

  test('that are newer replace older ones for the same person', async () => {
    const zoom = await seated({}, 2)
    zoom.order('first', 'mute', 1)
    zoom.order('mute', 'mute', 2)
    zoom.order('ask', 'ask-unmute', 2)
    await pass(2_000)
    expect(zoom.outcomes()).toEqual(['mute refused', 'ask done', 'first done'])
    expect(zoom.calls.map(({ id, muted }) => [id, muted])).toEqual([[1, true]])
  })

  test('to ask are done when sent, since the person may not want to, and need no call for an open microphone', async () => {
    const zoom = await seated({}, 1)
    zoom.add(2, { muted: true })
    zoom.order('open', 'ask-unmute', 1)
    zoom.order('muted', 'ask-unmute', 2)
    await pass(10)
    expect(zoom.outcomes()).toEqual(['open done', 'muted done'])
    expect(zoom.calls.map(({ id, muted }) => [id, muted])).toEqual([[2, false]])
  })

  test('to ask all are done when sent, once in 5 s, and need no call where nobody is muted', async () => {
    const zoom = await seated({}, 1)
    zoom.order('open', 'ask-all')
    await pass(10)
    expect([zoom.outcomes(), zoom.calls]).toEqual([['open done'], []])
    zoom.add(2, { muted: true })
    zoom.order('first', 'ask-all')
    await pass(10)
    zoom.order('second', 'ask-all')
    await pass(4_000)
    expect(zoom.outcomes()).toEqual(['open done', 'first done'])
    await pass(2_000)
    expect(zoom.outcomes()).toEqual(['open done', 'first done', 'second done'])
    expect(zoom.calls.map(({ name, muted }) => [name, muted])).toEqual(Array(2).fill(['muteAll', false]))
  })

  test('to ask all give way to Mute All, and are refused while it holds', async () => {
    const zoom = await seated({}, 1)
    zoom.add(2, { muted: true })
    zoom.order('first', 'ask-all')
    await pass(10)
    zoom.order('waits', 'ask-all')
    zoom.lock()
    zoom.order('late', 'ask-all')
    await pass(6_000)
    expect(zoom.outcomes()).toEqual(['first done', 'waits refused', 'late refused'])
    expect(zoom.named('muteAll').filter(({ muted }) => !muted)).toHaveLength(1)
  })

  test('that are dropped before their turn are refused, without a lock too', async () => {
    const zoom = await seated({}, 4)
    zoom.add(5, { muted: true })
    zoom.order('sent', 'mute-all')
    await pass(100)
    for (const id of [1, 2, 3, 4]) await zoom.change(id, { muted: false })
    zoom.order('all', 'mute-all')
    zoom.order('first', 'mute', 1)
    zoom.order('one', 'mute', 2)
    zoom.order('ask', 'ask-unmute', 5)
    zoom.order('kept', 'mute', 3)
    for (const id of ['sent', 'all', 'one', 'ask', 'nobody']) zoom.receive({ type: 'drop', id })
    await pass(12_000)
    expect(zoom.outcomes().toSorted()).toEqual([
      'all refused',
      'ask refused',
      'first done',
      'kept done',
      'one refused',
      'sent done',
    ])
    expect([1, 2, 3, 4].map((id) => zoom.users.get(id)?.muted)).toEqual([true, false, true, false])
  })

  test('that Zoom dropped before it was gone are not made once it is back, if they have failed meanwhile', async () => {
    const zoom = await seated({}, 3)
    zoom.add(4, { isHold: true, raiseHand: true })
    zoom.fault.drops = 10
    zoom.order('remove', 'remove', 1)
    zoom.order('hold', 'hold', 2)
    zoom.order('lower', 'lower-hand', 4)
    zoom.order('lower all', 'lower-all-hands')
    zoom.order('admit all', 'admit-all')
    await zoom.emit('onMeetingStatus', { meetingStatus: 4 }) // reconnecting
    await pass(5_000)
    for (const id of ['remove', 'hold', 'lower', 'lower all', 'admit all']) zoom.receive({ type: 'drop', id })
    zoom.fault.drops = 0
    const before = zoom.calls.length
    await zoom.emit('onMeetingStatus', { meetingStatus: 2 })
    await pass(3_000)
    expect(zoom.calls.slice(before)).toEqual([])
    expect(zoom.outcomes().filter((outcome) => !outcome.endsWith('refused'))).toEqual([])
  })

  test('that Zoom dropped before it was gone for long fail, also without a word of the console', async () => {
    const zoom = await seated({}, 1)
    zoom.fault.drops = 1
    zoom.order('a', 'remove', 1)
    await zoom.emit('onMeetingStatus', { meetingStatus: 4 })
    await pass(12_000)
    expect(zoom.outcomes()).toEqual(['a timeout'])
    await zoom.emit('onMeetingStatus', { meetingStatus: 2 })
    await pass(3_000)
    expect(zoom.calls).toHaveLength(1)
  })

  test('that wait for their turn are all done, one after the other', async () => {
    const zoom = await seated({}, 8)
    for (const id of [1, 2, 3, 4, 5, 6, 7, 8]) zoom.order(`r${id}`, 'remove', id)
    await pass(45_000)
    expect(zoom.outcomes()).toEqual([1, 2, 3, 4, 5, 6, 7, 8].map((id) => `r${id} done`))
    expect(zoom.named('expel')).toHaveLength(8)
  })

  test('that could not be sent for 10 s fail, and do not surprise anybody later', async () => {
    const zoom = await seated({}, 4)
    await zoom.emit('onMeetingStatus', { meetingStatus: 4 }) // reconnecting
    for (const id of [1, 2, 3, 4]) zoom.order(`r${id}`, 'remove', id)
    await pass(30_000)
    expect(zoom.outcomes()).toEqual(['r1 timeout', 'r2 timeout', 'r3 timeout', 'r4 timeout'])
    expect(zoom.named('expel')).toEqual([])
  })

  test('that waited while the machine slept fail, though the clock of the page stood still', async () => {
    const zoom = await seated({}, 2)
    zoom.order('a', 'mute', 1)
    zoom.order('b', 'mute', 2)
    vi.setSystemTime(Date.now() + 60_000)
    await pass(3_000)
    expect(zoom.outcomes()).toEqual(['a done', 'b timeout'])
    expect(zoom.calls).toHaveLength(1)
  })

  test('wait while Zoom reconnects', async () => {
    const zoom = await seated({}, 1)
    await zoom.emit('onMeetingStatus', { meetingStatus: 4 })
    zoom.order('a', 'mute', 1)
    await pass(2_000)
    expect(zoom.calls).toEqual([])
    await zoom.emit('onMeetingStatus', { meetingStatus: 2 })
    await pass(200)
    expect(zoom.outcomes()).toEqual(['a done'])
  })

  test('hold, admit, admit all, lower one hand and all', async () => {
    const zoom = await seated({}, 1)
    zoom.add(2, { isHold: true, raiseHand: true })
    zoom.add(3, { isHold: true, raiseHand: true })
    zoom.add(4, { isHold: true, raiseHand: true })
    const orders = [
      ['hold', 1],
      ['admit', 2],
      ['lower-hand', 2],
      ['admit-all', undefined],
      ['lower-all-hands', undefined],
    ] as const
    for (const [what, id] of orders) {
      zoom.order(what, what, id)
      await pass(200)
    }
    expect(zoom.outcomes()).toEqual(orders.map(([what]) => `${what} done`))
    expect([...zoom.users.values()].flatMap(({ isHold, raiseHand }) => [isHold, raiseHand])).not.toContain(true)
  })
})

describe('Mute All', () => {
  test('mutes with one call if nobody is spared, also when it comes as a lock and as a command', async () => {
    const zoom = await seated({}, 5)
    zoom.lock()
    zoom.order('a', 'mute-all')
    await pass(200)
    expect(zoom.calls.map(({ name }) => name)).toEqual(['muteAll'])
    expect(zoom.outcomes()).toEqual(['a done'])
    await pass(10_000)
    expect([zoom.calls.length, zoom.take('guarded')]).toEqual([1, []])
  })

  test('mutes one by one if somebody is spared, those first who sound, and leaves hosts alone', async () => {
    const zoom = await seated({}, 4)
    zoom.add(5, { isHost: true })
    await zoom.speak(3)
    zoom.lock(['uuid-2'])
    await pass(5_000)
    expect(zoom.named('muteAll')).toEqual([])
    expect(zoom.calls.map(({ id }) => id)).toEqual([3, 1, 4])
    expect([2, 5].map((id) => zoom.users.get(id)?.muted)).toEqual([false, false])
  })

  test('mutes more than eight with one call, although somebody is spared', async () => {
    const zoom = await seated({}, 10)
    zoom.lock(['uuid-1'])
    await pass(200)
    expect(zoom.calls.map(({ name }) => name)).toEqual(['muteAll'])
  })

  test('mutes one by one whom Zoom’s call has left open', async () => {
    const zoom = await seated({}, 2)
    zoom.fault.isIdle = true
    zoom.order('a', 'mute-all')
    await pass(1_000)
    zoom.fault.isIdle = false
    zoom.change(1, { muted: true })
    await pass(3_000)
    expect(zoom.calls.map(({ name, id }) => [name, id])).toEqual([
      ['muteAll', undefined],
      ['mute', 2],
    ])
    expect(zoom.outcomes()).toEqual(['a done'])
  })

  test('is taken back with what it has not done yet', async () => {
    const zoom = await seated({}, 4)
    await zoom.emit('onMeetingStatus', { meetingStatus: 4 }) // reconnecting
    zoom.lock()
    zoom.order('a', 'mute-all')
    zoom.order('b', 'mute', 2)
    zoom.unlock()
    await zoom.emit('onMeetingStatus', { meetingStatus: 2 })
    await pass(12_000)
    expect(zoom.calls).toEqual([])
    expect(zoom.outcomes().toSorted()).toEqual(['a refused', 'b refused'])
    expect([1, 2, 3, 4].map((id) => zoom.users.get(id)?.muted)).toEqual([false, false, false, false])
  })

  test('calls nothing if nobody is open', async () => {
    const zoom = await seated()
    zoom.add(1, { muted: true })
    zoom.add(2, { audio: '', muted: null })
    zoom.order('a', 'mute-all')
    await pass(10)
    expect([zoom.calls, zoom.outcomes()]).toEqual([[], ['a done']])
  })

  test('that came before the seat had joined mutes as soon as it has', async () => {
    const zoom = buildStrictZoom()
    for (const id of [1, 2, 3]) zoom.add(id)
    zoom.lock()
    await zoom.join()
    await pass(200)
    expect(zoom.calls.map(({ name }) => name)).toEqual(['muteAll'])
  })
})

describe('the guard', () => {
  async function locked(keys: string[] = []) {
    const zoom = await seated({}, 3)
    zoom.lock(keys)
    await pass(6_000)
    zoom.calls.length = 0
    return zoom
  }

  test('mutes again who unmutes, each time, and says so', async () => {
    const zoom = await locked()
    for (let round = 0; round < 3; round++) {
      zoom.change(1, { muted: false })
      await pass(2_000)
      expect(zoom.users.get(1)?.muted).toBe(true)
    }
    expect(zoom.take('guarded')).toEqual(Array(3).fill({ type: 'guarded', key: 'uuid-1', times: 1 }))
  })

  test('acts on the event itself, without any timer, as in a hidden tab', async () => {
    const zoom = await locked()
    vi.spyOn(globalThis, 'setTimeout').mockImplementation(() => 0 as never)
    zoom.change(1, { muted: false })
    expect(zoom.calls.map(({ id }) => id)).toEqual([1])
    vi.restoreAllMocks()
  })

  test('mutes all who unmute together within seconds while the timers of a hidden page stand still', async () => {
    const zoom = await locked()
    const start = setTimeout
    vi.spyOn(globalThis, 'setTimeout').mockImplementation(((run: () => void, ms: number) =>
      start(run, ms === EFFECT_MS ? ms : 60_000)) as never) // Zoom's own go on
    for (const id of [1, 2, 3]) zoom.change(id, { muted: false })
    await pass(5_000) // at every second word of the console
    vi.restoreAllMocks()
    expect([1, 2, 3].map((id) => zoom.users.get(id)?.muted)).toEqual([true, true, true])
    expect(zoom.calls.map(({ id }) => id)).toEqual([1, 2, 3])
  })

  test('mutes who comes later or joins the sound later, without calling it muted again', async () => {
    const zoom = await locked()
    zoom.add(7)
    zoom.add(8, { audio: '', muted: null })
    await pass(1_200)
    zoom.change(8, { audio: 'phone', muted: false })
    await pass(1_500)
    expect(zoom.calls.map(({ id }) => id)).toEqual([7, 8])
    expect(zoom.take('guarded')).toEqual([])
  })

  test('takes a voice before open microphones that are silent', async () => {
    const zoom = await locked()
    for (const id of [10, 11, 12]) zoom.add(id)
    await zoom.speak(12)
    await pass(4_000)
    expect(zoom.calls.map(({ id }) => id)).toEqual([10, 12, 11])
  })

  test('takes a command of the host before everything', async () => {
    const zoom = await locked(['uuid-1'])
    zoom.change(1, { muted: false })
    for (const id of [10, 11]) zoom.add(id)
    zoom.order('a', 'mute', 1)
    await pass(4_000)
    expect(zoom.calls.map(({ id }) => id)).toEqual([10, 1, 11])
  })

  test('lets those speak who may, also from a moment ago', async () => {
    const zoom = await locked(['uuid-1'])
    zoom.change(1, { muted: false })
    zoom.change(2, { muted: false })
    zoom.change(3, { muted: false })
    zoom.lock(['uuid-1', 'uuid-3'])
    await pass(5_000)
    expect(zoom.calls.map(({ id }) => id)).toEqual([2])
  })

  test('stops when the lock is off, the powers are lost or the connection is', async () => {
    const zoom = await locked()
    zoom.unlock()
    zoom.change(1, { muted: false })
    await pass(2_000)
    expect(zoom.calls).toEqual([])
    zoom.change(100, { isHost: false })
    await pass(10)
    zoom.lock()
    zoom.change(2, { muted: false })
    await pass(2_000)
    expect(zoom.calls).toEqual([])
    zoom.change(100, { isCoHost: true })
    await pass(200)
    expect([1, 2].map((id) => zoom.users.get(id)?.muted)).toEqual([true, true])
  })

  test('mutes nobody after a sleep until the console has said who may speak', async () => {
    const zoom = await locked()
    zoom.change(1, { muted: false })
    zoom.change(2, { muted: false })
    zoom.sleep(35_000)
    zoom.calls.length = 0
    zoom.change(3, { muted: false })
    await pass(10_000)
    expect(zoom.calls).toEqual([])
    zoom.lock(['uuid-1'])
    await pass(3_000)
    expect(zoom.calls.map(({ id }) => id).toSorted()).toEqual([2, 3])
  })

  test('passes over what the console said before a sleep', async () => {
    const zoom = await locked()
    const at = Date.now()
    zoom.sleep(35_000)
    zoom.receive({ type: 'allow', lock: true, keys: [], at })
    zoom.change(1, { muted: false })
    await pass(3_000)
    expect(zoom.calls).toEqual([])
  })

  test('goes on while the console says so, and ends soon after its last word', async () => {
    const zoom = await locked()
    await pass(30_000)
    zoom.change(1, { muted: false })
    await pass(1_500)
    expect(zoom.calls.map(({ id }) => id)).toEqual([1])
    zoom.sleep(0)
    await pass(6_000)
    zoom.change(1, { muted: false })
    await pass(3_000)
    expect(zoom.calls).toHaveLength(1)
  })

  test('goes on trying with somebody whom Zoom does not mute, no more often than Zoom takes it', async () => {
    const zoom = await locked()
    zoom.fault.isIdle = true
    zoom.change(1, { muted: false })
    await pass(60_000)
    expect(zoom.calls.length).toBeGreaterThan(5)
    expect(zoom.calls.length).toBeLessThan(15)
  })
})

describe('the end', () => {
  test.each([
    [{ reasonCode: 2 }, 'left'],
    [{ reasonCode: 5 }, 'elsewhere'],
    [{ reasonCode: 6 }, 'removed'],
    [{ reasonCode: 1 }, 'meeting_ended'],
  ])('%j is reported once as %s, and the storage is empty', async (data, reason) => {
    const zoom = await seated({}, 1)
    sessionStorage.setItem('WEB_CLIENT_ZTK', 'a token')
    await zoom.emit('onUserLeave', data)
    await zoom.emit('onMeetingStatus', { meetingStatus: 3 })
    zoom.order('a', 'mute', 1)
    await pass(0)
    expect(zoom.take('ended')).toEqual([{ type: 'ended', reason, zoom_code: null }])
    expect([sessionStorage.length, zoom.outcomes(), zoom.calls]).toEqual([0, ['a refused'], []])
  })

  test('of a connection that did not come back differs from that of the meeting', async () => {
    const lost = await seated()
    await lost.emit('onMeetingStatus', { meetingStatus: 4 })
    await lost.emit('onMeetingStatus', { meetingStatus: 3 })
    const ended = await seated()
    await ended.emit('onMeetingStatus', { meetingStatus: 3 })
    expect([...lost.take('ended'), ...ended.take('ended')].map(({ reason }) => reason)).toEqual([
      'join_failed',
      'meeting_ended',
    ])
  })

  test('on the console’s word is answered, and what still waits is refused', async () => {
    const zoom = await seated({}, 2)
    zoom.order('a', 'remove', 1)
    zoom.order('b', 'remove', 2)
    zoom.receive({ type: 'leave', id: 'l' })
    await pass(0)
    expect(zoom.outcomes().toSorted()).toEqual(['a refused', 'b refused', 'l done'])
    expect(zoom.take('ended')).toMatchObject([{ reason: 'left' }])
  })
})

test('drops what is no message', async () => {
  const zoom = await seated({}, 1)
  const before = zoom.sent.length
  const bad = [
    null,
    'join',
    { type: 'do' },
    { type: 'do', id: 'a', what: 'rename', user_id: 1 },
    { type: 'allow', lock: 1 },
    { type: 'allow', lock: true, keys: [] },
  ]
  for (const message of [...bad, { type: 'do', id: 'a', what: 'mute', user_id: '1' }]) zoom.session.receive(message)
  await pass(1_000)
  expect([zoom.sent.length, zoom.calls]).toEqual([before, []])
})
