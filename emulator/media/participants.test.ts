import { createParser } from 'eventsource-parser'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import {
  MediaStreamTrack,
  RTCPeerConnection,
  RTCRtpHeaderExtensionParameters,
  RTP_EXTENSION_URI,
  RtpHeader,
  RtpPacket,
} from 'werift'
import { startMeeting } from '../../test/zoom/connected-app.ts'
import type { SdkEvent } from './events.ts'

const LEVEL = { uri: RTP_EXTENSION_URI.audioLevelIndication }
let meeting: Awaited<ReturnType<typeof startMeeting>>
let closing: (() => unknown)[] = []
beforeEach(async () => {
  meeting = await startMeeting()
})
afterEach(async () => {
  for (const close of closing) await close()
  closing = []
  await meeting.zoom.close()
})

const post = (path: string, body: object) =>
  fetch(meeting.zoom.origin + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })

/** Joins like a page of the stand-in, from the emulator's point of view. */
async function enter(name: string) {
  const answer = await post('/sdk/join', { ...(await meeting.ticket(name)), page: true })
  const { participant, token } = await answer.json()
  const path = `/sdk/participants/${token}`
  const events: SdkEvent[] = []
  const leaving = new AbortController()
  closing.push(() => leaving.abort())
  return {
    uuid: String(participant.participant_uuid),
    token: String(token),
    events,
    vanish: () => leaving.abort(),
    change: (state: object) => post(`${path}/state`, state),
    async follow() {
      const { body } = await fetch(`${meeting.zoom.origin}${path}/events`, { signal: leaving.signal })
      const parser = createParser({ onEvent: ({ data }) => events.push(JSON.parse(data)) })
      void body
        ?.pipeThrough(new TextDecoderStream())
        .pipeTo(new WritableStream({ write: (text) => parser.feed(text) }))
        .catch(() => {})
      await expect.poll(() => events.length).toBeGreaterThan(0)
    },
    async joinAudio() {
      const sound = await connect(async (sdp) => (await (await post(`${path}/offer`, { sdp })).json()).sdp)
      await post(`${path}/state`, { audio: 'computer', muted: false })
      return sound
    },
  }
}

async function connect(exchange: (offer: string) => Promise<string>) {
  const connection = new RTCPeerConnection({
    iceServers: [],
    iceUseIpv6: false,
    headerExtensions: { audio: [new RTCRtpHeaderExtensionParameters(LEVEL)] },
  })
  closing.push(() => connection.close())
  const heard: RtpPacket[] = []
  connection.onTrack.subscribe((track) => track.onReceiveRtp.subscribe((packet) => heard.push(packet)))
  const microphone = connection.addTransceiver(new MediaStreamTrack({ kind: 'audio' }), { direction: 'sendonly' })
  for (let line = 0; line < 4; line++) connection.addTransceiver('audio', { direction: 'recvonly' })
  await connection.setLocalDescription(await connection.createOffer())
  const sdp = await exchange(connection.localDescription?.sdp ?? '')
  await connection.setRemoteDescription({ type: 'answer', sdp })
  await expect.poll(() => connection.connectionState).toBe('connected')
  let number = 0
  const id = microphone.headerExtensions.find(({ uri }) => uri === LEVEL.uri)?.id ?? 1
  return {
    heard,
    async speak(text: string) {
      const header = new RtpHeader({
        sequenceNumber: ++number,
        timestamp: number * 960,
        extension: true,
        extensions: [{ id, payload: Buffer.from([20]) }],
      })
      await microphone.sender.sendRtp(new RtpPacket(header, Buffer.from(text)))
    },
  }
}

const textsOf = (packets: RtpPacket[]) => packets.map(({ payload }) => payload.toString('latin1'))
const namesOf = async (): Promise<string[]> =>
  (await meeting.zoom.control('/sound')).body.participants.map(({ userName }: { userName: string }) => userName)

describe('sound', () => {
  test('goes from one page to the others, and from a muted one to nobody', async () => {
    const [ana, ben] = [await enter('Ana'), await enter('Ben')]
    const [hers, his] = [await ana.joinAudio(), await ben.joinAudio()]
    await hers.speak('one')
    await hers.speak('two')
    await expect.poll(() => textsOf(his.heard)).toEqual(['one', 'two'])

    await ana.change({ muted: true })
    await hers.speak('muted')
    await his.speak('after that')
    await expect.poll(() => textsOf(hers.heard)).toEqual(['after that'])
    await ana.change({ muted: false })
    await hers.speak('three')
    await expect.poll(() => textsOf(his.heard)).toContain('three')
    expect(textsOf(his.heard)).not.toContain('muted')
  })

  test('is not passed on before the audio is joined', async () => {
    const [ana, ben] = [await enter('Ana'), await enter('Ben')]
    const [hers, his] = [await ana.joinAudio(), await ben.joinAudio()]
    await ana.change({ audio: '' })
    await hers.speak('too early')
    await ana.change({ audio: 'computer' })
    await hers.speak('now')
    await expect.poll(() => textsOf(his.heard)).toEqual(['now'])
  })
})

describe('the event stream', () => {
  test('tells who is there, who comes, changes, speaks and leaves, and that the meeting records', async () => {
    const ana = await enter('Ana')
    await ana.follow()
    expect(ana.events[0]).toMatchObject({
      type: 'state',
      recording: 'off',
      attendees: [{ userName: 'Ana', audio: '' }],
    })
    const ben = await enter('Ben')
    const his = await ben.joinAudio()
    await his.speak('hello')
    const kinds = () => ana.events.map(({ type }) => type)
    await expect.poll(kinds).toContain('speakers')
    await meeting.happens('/recording', { action: 'start' })
    await post('/sdk/leave', { token: ben.token })
    await expect.poll(kinds).toContain('left')
    for (const type of ['joined', 'updated', 'recording']) expect(kinds()).toContain(type)
    expect(ana.events.filter((event) => event.type === 'speakers' && event.speakers.length === 0)).toEqual([])
  })

  test.each([
    ['ends the meeting', 1, () => meeting.happens('/end')],
    [
      'removes the participant',
      6,
      () => meeting.happens('/participants/leave', { customer_key: 'ana', reason: 'Removed by host' }),
    ],
  ])('the host %s: its last event has the reason %i', async (_what, reasonCode, happen) => {
    const ana = await enter('Ana')
    await ana.follow()
    await happen()
    await expect.poll(() => ana.events.at(-1)).toEqual({ type: 'ended', reasonCode })
  })

  test('a guest of a meeting that mutes upon entry comes in muted', async () => {
    await meeting.zoom.close()
    meeting = await startMeeting({ settings: { mute_upon_entry: true } })
    const ana = await enter('Ana')
    await ana.follow()
    expect(ana.events[0]).toMatchObject({ attendees: [{ userName: 'Ana', muted: true }] })
  })
})

test('a page that vanishes, or never followed the meeting, is out of it a while later; phones without a page stay', async () => {
  await meeting.zoom.control('/options', { sdk_dead_ms: 300 })
  await post('/sdk/join', await meeting.ticket('Phone'))
  await enter('Never')
  const [ana, ben] = [await enter('Ana'), await enter('Ben')]
  await ana.follow()
  await ben.follow()
  ben.vanish()
  await expect.poll(namesOf).toEqual(['Phone', 'Ana'])
  expect(ana.events.filter(({ type }) => type === 'left')).toHaveLength(2)
})

test('a page that closes may say so as plain text', async () => {
  const ana = await enter('Ana')
  const body = JSON.stringify({ token: ana.token })
  await fetch(`${meeting.zoom.origin}/sdk/leave`, { method: 'POST', body })
  expect(await namesOf()).toEqual([])
})

test('refuses speech that is not Ogg Opus, and calls for participants who have left', async () => {
  const ana = await enter('Ana')
  const url = `${meeting.zoom.origin}/sdk/participants/${ana.token}/speech`
  const headers = { 'content-type': 'audio/ogg' }
  expect((await fetch(url, { method: 'POST', headers, body: 'no speech at all' })).status).toBe(400)
  await meeting.happens('/end')
  for (const call of [ana.change({ muted: true }), fetch(url, { method: 'POST', headers, body: 'x' })])
    expect((await call).status).toBe(404)
})

test('a page sees the UUIDs of all, with which it cannot act for the others', async () => {
  const ana = await enter('Ana')
  await ana.follow()
  const ben = await enter('Ben')
  await ben.follow()
  expect(ben.events[0]).toMatchObject({
    attendees: [{ participantUUID: ana.uuid }, { participantUUID: ben.uuid }],
  })
  expect(JSON.stringify(ana.events)).toContain(ben.uuid)
  for (const forged of [ben.uuid, `${ben.uuid}.`, ben.token.replace(ben.uuid, ana.uuid)]) {
    const path = `/sdk/participants/${forged}`
    for (const call of ['state', 'offer', 'speech']) expect((await post(`${path}/${call}`, {})).status).not.toBe(200)
    expect((await fetch(`${meeting.zoom.origin}${path}/events`)).status).toBe(404)
    await post('/sdk/leave', { token: forged })
  }
  expect(await namesOf()).toEqual(['Ana', 'Ben'])
})
