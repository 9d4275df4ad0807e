import { readFile } from 'node:fs/promises'
import { createParser } from 'eventsource-parser'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { catchWebhooks, startMeeting } from '../../test/zoom/connected-app.ts'
import type { Attendee, SdkEvent } from './events.ts'

let meeting: Awaited<ReturnType<typeof startMeeting>>
let closing: (() => void)[] = []
beforeEach(async () => {
  meeting = await startMeeting({ webhookSecret: 'a-secret-token' })
})
afterEach(async () => {
  for (const close of closing) close()
  closing = []
  await meeting.zoom.close()
})

async function post(path: string, body: object) {
  const headers = { 'content-type': 'application/json' }
  const answer = await fetch(meeting.zoom.origin + path, { method: 'POST', headers, body: JSON.stringify(body) })
  return { status: answer.status, body: await answer.json() }
}

type Ticket = Awaited<ReturnType<typeof meeting.ticket>>

/** Joins like a page of the stand-in, and follows the meeting. */
async function enter(ticket: Ticket) {
  const { token, participant } = (await post('/sdk/join', { ...ticket, page: true })).body
  const path = `/sdk/participants/${token}`
  const events: SdkEvent[] = []
  const leaving = new AbortController()
  closing.push(() => leaving.abort())
  const { body } = await fetch(`${meeting.zoom.origin}${path}/events`, { signal: leaving.signal })
  const parser = createParser({ onEvent: ({ data }) => events.push(JSON.parse(data)) })
  void body
    ?.pipeThrough(new TextDecoderStream())
    .pipeTo(new WritableStream({ write: (text) => parser.feed(text) }))
    .catch(() => {})
  await expect.poll(() => events.length).toBeGreaterThan(0)
  const uuid: string = participant.participant_uuid
  return {
    uuid,
    userId: Number(participant.user_id),
    events,
    kinds: () => events.map(({ type }) => type),
    reload: () => leaving.abort(),
    leave: () => post('/sdk/leave', { token }),
    change: (state: object) => post(`${path}/state`, state),
    order: async (what: string, more: object = {}) => (await post(`${path}/orders`, { do: what, ...more })).status,
    state: async () => (await attendees()).find(({ participantUUID }) => participantUUID === uuid),
  }
}
const guest = async (name: string) => enter(await meeting.ticket(name))
const host = async (name = 'Ana') => enter(await meeting.hostTicket(name))

const attendees = async (): Promise<Attendee[]> => (await meeting.zoom.control('/sound')).body.participants
async function namesWith(state: Partial<Attendee>): Promise<string[]> {
  const all = (await attendees()).filter((one) =>
    Object.entries(state).every(([key, is]) => Reflect.get(one, key) === is),
  )
  return all.map(({ userName }) => userName)
}

describe('a host', () => {
  test('mutes one, whose page is told to, and asks one to unmute', async () => {
    const [ana, ben] = [await host(), await guest('Ben')]
    expect(await ana.order('mute', { userId: ben.userId, mute: true })).toBe(200)
    expect(await namesWith({ muted: true })).toEqual(['Ben'])
    await expect.poll(() => ben.events).toContainEqual({ type: 'imposed', change: { muted: true } })
    await ana.order('mute', { userId: ben.userId, mute: false })
    await expect.poll(ben.kinds).toContain('asked')
    expect(await namesWith({ muted: true })).toEqual(['Ben'])
  })

  test('mutes all but the own page, co-hosts too, and whoever comes later', async () => {
    const [ana, ben] = [await host(), await guest('Ben')]
    await guest('Cleo')
    await ana.order('makeCoHost', { userId: ben.userId })
    expect(await ana.order('muteAll', { muteAll: true })).toBe(200)
    await guest('Dan')
    expect(await namesWith({ muted: true })).toEqual(['Ben', 'Cleo', 'Dan'])
    await ana.order('muteAll', { muteAll: false })
    await expect.poll(ben.kinds).toContain('asked')
    expect(await namesWith({ muted: true })).toEqual(['Ben', 'Cleo', 'Dan'])
  })

  test('forbids unmuting to participants, but not to one who is asked to', async () => {
    const [ana, ben] = [await host(), await guest('Ben')]
    await ana.order('muteAll', { muteAll: true, mayUnmute: false })
    expect((await ben.change({ muted: false })).status).toBe(403)
    await ana.order('mute', { userId: ben.userId, mute: false })
    expect((await ben.change({ muted: false })).status).toBe(200)
    await ana.order('mute', { userId: ben.userId, mute: true })
    expect((await ben.change({ muted: false })).status).toBe(403)
    await ana.order('muteAll', { muteAll: true, mayUnmute: true })
    expect((await ben.change({ muted: false })).status).toBe(200)
  })

  test('removes, and lowers hands', async () => {
    const [ana, ben, cleo] = [await host(), await guest('Ben'), await guest('Cleo')]
    for (const one of [ben, cleo]) await one.change({ raiseHand: true })
    expect(await namesWith({ raiseHand: true })).toEqual(['Ben', 'Cleo'])
    await ana.order('lowerHand', { userId: ben.userId })
    expect(await namesWith({ raiseHand: true })).toEqual(['Cleo'])
    await ana.order('lowerAllHands')
    expect(await namesWith({ raiseHand: true })).toEqual([])
    await ana.order('expel', { userId: ben.userId })
    await expect.poll(() => ben.events.at(-1)).toEqual({ type: 'ended', reasonCode: 6 })
    expect(await namesWith({})).toEqual(['Ana', 'Cleo'])
  })

  test('holds somebody, who then sees nobody, and admits all', async () => {
    const [ana, ben, cleo] = [await host(), await guest('Ben'), await guest('Cleo')]
    await ana.order('putOnHold', { userId: ben.userId, hold: true })
    expect(await namesWith({ isHold: true })).toEqual(['Ben'])
    await expect.poll(ben.kinds).toContain('left')
    await expect.poll(cleo.kinds).toContain('left')
    await expect
      .poll(() => ana.events.at(-1))
      .toMatchObject({ type: 'updated', attendee: { userName: 'Ben', isHold: true } })
    await ana.order('admitAll')
    expect(await namesWith({ isHold: true })).toEqual([])
    await expect.poll(() => cleo.events.at(-1)).toMatchObject({ type: 'joined', attendee: { userName: 'Ben' } })
  })

  test('passes the role on and takes it back', async () => {
    const [ana, ben] = [await host(), await guest('Ben')]
    await ana.order('makeHost', { userId: ben.userId })
    expect(await namesWith({ isHost: true })).toEqual(['Ben'])
    expect(await ana.order('muteAll', { muteAll: true })).toBe(403)
    expect(await ben.order('reclaimHost')).toBe(403)
    expect(await ana.order('reclaimHost')).toBe(200)
    expect(await namesWith({ isHost: true })).toEqual(['Ana'])
    expect(await namesWith({ isCoHost: true })).toEqual(['Ben'])
    await ana.order('withdrawCoHost', { userId: ben.userId })
    expect(await namesWith({ isCoHost: true })).toEqual([])
  })
})

test('a guest has no powers; a co-host has all but those over roles and over the host', async () => {
  const [ana, ben, cleo] = [await host(), await guest('Ben'), await guest('Cleo')]
  const orders = [
    ['mute', { userId: cleo.userId, mute: true }],
    ['muteAll', { muteAll: true }],
    ['putOnHold', { userId: cleo.userId, hold: true }],
    ['admitAll', {}],
    ['lowerHand', { userId: cleo.userId }],
    ['lowerAllHands', {}],
    ['expel', { userId: cleo.userId }],
  ] as const
  const ofHost = ['makeHost', 'makeCoHost', 'withdrawCoHost'].map((what) => [what, { userId: cleo.userId }] as const)
  for (const [what, more] of [...orders, ...ofHost, ['reclaimHost', {}] as const])
    expect(await ben.order(what, more)).toBe(403)
  expect(await namesWith({ muted: false, isHold: false, isCoHost: false })).toEqual(['Ana', 'Ben', 'Cleo'])

  await ana.order('makeCoHost', { userId: ben.userId })
  for (const [what, more] of ofHost) expect(await ben.order(what, more)).toBe(403)
  for (const what of ['expel', 'putOnHold']) expect(await ben.order(what, { userId: ana.userId, hold: true })).toBe(403)
  for (const [what, more] of orders) expect(await ben.order(what, more)).toBe(200)
  expect(await namesWith({})).toEqual(['Ana', 'Ben'])
  expect(await ben.order('mute', { userId: 'somebody' })).toBe(400)
  expect(await ben.order('endMeeting')).toBe(400)
})

describe('when the host leaves', () => {
  test.each([
    ['cohost', ['Cleo']],
    ['nobody', []],
    ['guest', ['Cleo']],
  ])('with "%s" the host is %j', async (host_left, hosts) => {
    await meeting.zoom.control('/options', { host_left })
    const [ana, , cleo] = [await host(), await guest('Ben'), await guest('Cleo')]
    await ana.order('makeCoHost', { userId: cleo.userId })
    await ana.leave()
    expect(await namesWith({ isHost: true })).toEqual(hosts)
    await host()
    expect(await namesWith({ isHost: true })).toEqual(['Ana'])
  })

  test('a guest becomes host only if Zoom is told so', async () => {
    await meeting.zoom.control('/options', { host_left: 'guest' })
    const ana = await host()
    await guest('Ben')
    await ana.leave()
    expect(await namesWith({ isHost: true })).toEqual(['Ben'])
  })
})

test('a host’s page that reloads takes its place again, in its role', async () => {
  const [ana, ben] = [await host(), await guest('Ben')]
  await ana.order('makeCoHost', { userId: ben.userId })
  ana.reload()
  ben.reload()
  await expect.poll(async () => (await attendees()).length).toBe(2)
  const [again, back] = [await host(), await guest('Ben')]
  expect(await again.state()).toMatchObject({ isHost: true, isCoHost: false })
  expect(await back.state()).toMatchObject({ isHost: false, isCoHost: true })
  expect(await namesWith({})).toEqual(['Ana', 'Ben'])
})

test('at most three of those who speak are named', async () => {
  const ana = await host()
  const { meeting_number, passcode } = await meeting.ticket('any')
  const body = await readFile('simulator/speech/answer.ogg')
  for (let at = 0; at < 5; at++) {
    const who = { meeting_number, passcode, user_name: `Caller ${at}`, telephone: true }
    const { token } = (await post('/zoom/join', who)).body
    const headers = { 'content-type': 'audio/ogg' }
    void fetch(`${meeting.zoom.origin}/sdk/participants/${token}/speech`, { method: 'POST', headers, body }).catch(
      () => {},
    )
  }
  await expect.poll(() => namesWith({ audio: 'phone', muted: false })).toHaveLength(5)
  const counts = () => ana.events.flatMap((event) => (event.type === 'speakers' ? [event.speakers.length] : []))
  await expect.poll(counts).toContain(3)
  expect(Math.max(...counts())).toBe(3)
})

test('a meeting with a waiting room holds guests, who have joined once they are admitted', async () => {
  await meeting.zoom.close()
  meeting = await startMeeting({ webhookSecret: 'a-secret-token', settings: { waiting_room: true } })
  const target = await catchWebhooks()
  await meeting.zoom.control('/webhooks/endpoint', { url: target.url })
  const ana = await host()
  const ben = await guest('Ben')
  const cleo = await guest('Cleo')
  expect(await namesWith({ isHold: true })).toEqual(['Ben', 'Cleo'])
  expect(await ben.order('admitAll')).toBe(403)
  await ana.order('putOnHold', { userId: ben.userId, hold: false })
  await ana.order('expel', { userId: cleo.userId })
  await expect.poll(() => cleo.events.at(-1)).toEqual({ type: 'ended', reasonCode: 7 })
  await meeting.zoom.control('/webhooks/settle', {})
  const told = target.received.map(({ body }) => body.event).filter((event) => event.startsWith('meeting.'))
  expect(told).toEqual([
    'meeting.participant_joined', // the host
    'meeting.participant_joined_waiting_room',
    'meeting.participant_joined_waiting_room',
    'meeting.participant_left_waiting_room',
    'meeting.participant_joined',
    'meeting.participant_left_waiting_room',
  ])
  expect(JSON.stringify(target.received.map(({ body }) => body))).not.toContain('on_hold')
  await target.close()
})
