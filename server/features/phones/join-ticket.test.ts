import { jwtVerify } from 'jose'
import { beforeEach, describe, expect, test } from 'vitest'
import { JoinTicket } from '../../../shared/mobile.ts'
import { eventually } from '../../../test/eventually.ts'
import {
  buildHost,
  buildPhone,
  buildRoomUser,
  call,
  type SignedIn,
  type TestHost,
} from '../../../test/factories/accounts.ts'
import { buildZoomHost, setupWithZoom } from '../../../test/zoom/emulated-zoom.ts'
import { receiveWebhooks, webhooksProcessed, zoomIdsOf } from '../../../test/zoom/webhooks.ts'
import { deleteMeeting } from '../../zoom/calls.ts'

let now = Date.parse('2026-11-21T10:00:00Z')
let appAccount: string | undefined
let host: TestHost
let phone: SignedIn & { id: string }

const server = await setupWithZoom({
  now: () => now,
  config: { ZOOM_SDK_KEY: 'sdk-key', ZOOM_SDK_SECRET: 'sdk-secret' },
  sdk: { sdkKey: 'sdk-key', sdkSecret: 'sdk-secret' },
})
Object.defineProperty(server.deps.config, 'ZOOM_APP_ACCOUNT_ID', { get: () => appAccount })
beforeEach(async () => {
  appAccount = undefined
  now += 3_600_000
  host = await buildZoomHost(server)
  phone = await buildPhone(server, host, await buildRoomUser(server, host, { username: 'anita' }))
})

const numberOf = () => String(host.rooms[0]?.zoom_meeting_id)
const addressWithPasscode = () => new RegExp(`^${server.zoom.origin}/j/${numberOf()}\\?pwd=.`)
const meeting = (what: string, body: object = {}) => server.control(`/meetings/${numberOf()}${what}`, body)
const requestTicket = (as: SignedIn = phone) => call(server, 'POST', '/mobile/join-ticket', { as })
async function ticket(as?: SignedIn) {
  const { status, body } = await requestTicket(as)
  expect(status, JSON.stringify(body)).toBe(200)
  return JoinTicket.parse(body.data)
}
const read = async (signature: string, secret = 'sdk-secret') =>
  (await jwtVerify(signature, new TextEncoder().encode(secret), { algorithms: ['HS256'], currentDate: new Date(now) }))
    .payload

const unset = { master_id: null, room_user_id: null }
/** Signs in the host's own phone. */
const hostPhone = async () => ({
  token: await server.deps.sessions.open(server.deps.db, { ...unset, role: 'phone', host_id: host.id }, '127.0.0.1'),
})

describe("a meeting of the app's own account", () => {
  beforeEach(async () => {
    appAccount = (await zoomIdsOf(server, host)).account_id
  })

  test('a ticket names the meeting and the user, is signed for two hours and holds no token', async () => {
    const got = await ticket()
    const { body } = await call(server, 'GET', '/host/room', { as: host })
    expect(got).toEqual({
      role: 0,
      sdk_url: 'https://source.zoom.us',
      sdk_version: '6.2.0',
      join_url: expect.stringMatching(addressWithPasscode()),
      meeting_number: numberOf(),
      passcode: body.data.room.password,
      signature: expect.any(String),
      user_name: 'anita',
      customer_key: phone.id,
      expires_at: expect.any(String),
    })
    const claims = await read(got.signature)
    expect(claims).toMatchObject({ appKey: 'sdk-key', sdkKey: 'sdk-key', mn: numberOf(), role: 0 })
    const { iat = 0, exp = 0, tokenExp } = claims
    expect(iat * 1000).toBeLessThan(now)
    expect(exp - iat).toBe(7200)
    expect(tokenExp).toBe(exp)
    expect(Date.parse(got.expires_at)).toBe(exp * 1000)
  })

  test('issues a ticket while Zoom is down', async () => {
    await server.control('/faults', { kind: 'status', status: 500, times: 0 })
    expect(await ticket()).toMatchObject({
      meeting_number: numberOf(),
      join_url: expect.stringMatching(addressWithPasscode()),
    })
  })

  test('issues a ticket for a new meeting where Zoom has lost the old one', async () => {
    await server.deps.zoom.callFor(host.id, deleteMeeting(numberOf()))
    const got = await ticket()
    expect(got.meeting_number).not.toBe(numberOf())
    const { body } = await call(server, 'GET', '/host/room', { as: host })
    expect(got).toMatchObject({
      meeting_number: body.data.room.zoom_meeting_id,
      passcode: body.data.room.password,
    })
    const { meetings } = await server.control('/state')
    expect(
      (meetings as { id: number; password: string }[]).find(({ id }) => String(id) === got.meeting_number),
    ).toMatchObject({
      password: got.passcode,
    })
  })

  test('issues a ticket for a new meeting where there was none', async () => {
    await server.deps.db.updateTable('rooms').set({ zoom_meeting_id: null, passcode_ciphertext: null }).execute()
    expect(await ticket()).toMatchObject({ passcode: expect.stringMatching(/^.{10}$/) })
  })
})

/** Joins a second time as the host's Zoom user, after the join that started the meeting; Zoom sends the event. */
async function joinAsHost() {
  await receiveWebhooks(server)
  await meeting('/start')
  now += 1000
  await meeting('/participants/join', { host: true })
  await webhooksProcessed(server)
}
async function changeMeeting(what: string, body: object = { host: true }) {
  now += 1000
  await meeting(what, body)
  await webhooksProcessed(server)
}

const waits = (host_presence: 'absent' | 'unknown') => ({
  status: 409,
  headers: { 'retry-after': '10' },
  body: { code: 'host_not_present', host_presence },
})

/** Joins as the Meeting SDK does, with the ticket's values. */
async function join({ expires_at: _, ...joining }: JoinTicket) {
  const headers = { 'content-type': 'application/json' }
  const answer = await fetch(`${server.zoom.origin}/sdk/join`, {
    method: 'POST',
    headers,
    body: JSON.stringify(joining),
  })
  return { status: answer.status, body: await answer.json() }
}

describe('a meeting of another account', () => {
  test('refuses a user who is deactivated during the call to Zoom', async () => {
    await joinAsHost()
    await server.control('/faults', { match: { path: '/v2/users/*' }, kind: 'slow', delay_ms: 200, times: 1 })
    const asked = requestTicket()
    await eventually(async () => expect((await server.control('/faults')).faults).toMatchObject([{ hits: 1 }]))
    expect((await call(server, 'POST', `/host/users/${phone.id}/deactivate`, { as: host })).status).toBe(200)
    expect(await asked).toMatchObject({ status: 401, body: { code: 'not_signed_in' } })
  })

  test('refuses tickets before the host has joined', async () => {
    await receiveWebhooks(server)
    expect(await requestTicket()).toMatchObject(waits('absent'))
    await changeMeeting('/start', {})
    expect(await requestTicket()).toMatchObject(waits('unknown')) // the host may have left the meeting
    await changeMeeting('/participants/join')
    expect((await requestTicket()).status).toBe(200)
    await changeMeeting('/participants/leave')
    expect(await requestTicket()).toMatchObject(waits('absent'))
    await changeMeeting('/participants/join', { user_name: 'By the Zoom app' })
    expect(await requestTicket()).toMatchObject(waits('absent'))
    await changeMeeting('/participants/join')
    expect((await requestTicket()).status).toBe(200)
    await changeMeeting('/end', {})
    expect(await requestTicket()).toMatchObject(waits('absent'))
  })

  test('counts the host as present while its own phone is online and the meeting runs', async () => {
    const leader = await hostPhone()
    await call(server, 'POST', '/mobile/status', { as: leader })
    expect(await requestTicket()).toMatchObject(waits('absent'))
    await receiveWebhooks(server)
    expect(await join(await ticket(leader))).toMatchObject({ status: 200 })
    await webhooksProcessed(server)
    expect((await join(await ticket())).status).toBe(200)
    await call(server, 'POST', '/mobile/logout', { as: leader })
    expect(await requestTicket()).toMatchObject(waits('unknown'))
  })

  test('counts the host as present after it left with a second device, while its phone that started is online', async () => {
    const leader = await hostPhone()
    await call(server, 'POST', '/mobile/status', { as: leader })
    await receiveWebhooks(server)
    expect(await join(await ticket(leader))).toMatchObject({ status: 200 })
    now += 1000
    const { participant } = await meeting('/participants/join', { host: true })
    await changeMeeting('/participants/leave', { participant_uuid: participant.participant_uuid })
    expect((await join(await ticket())).status).toBe(200)
    await changeMeeting('/participants/leave')
    expect(await requestTicket()).toMatchObject(waits('absent'))
  })

  test('counts the host as present while its own phone is in the meeting', async () => {
    await receiveWebhooks(server)
    await changeMeeting('/start', {})
    await changeMeeting('/participants/join', { customer_key: host.id })
    expect((await requestTicket()).status).toBe(200)
    await changeMeeting('/participants/leave', { customer_key: host.id })
    expect(await requestTicket()).toMatchObject(waits('absent'))
  })

  test('waiting phones cause only an occasional check at Zoom, and no mail to the host', async () => {
    const phones = [phone]
    for (let one = 0; one < 4; one++) phones.push(await buildPhone(server, host, await buildRoomUser(server, host)))
    await requestTicket() // also finds the app's owner
    now += 15_000
    await server.control('/faults', { match: { path: '/v2/*' }, kind: 'slow', times: 0 })
    const calls = async () => ((await server.control('/state')).faults as { hits: number }[])[0]?.hits
    const rounds = [...phones, ...phones, ...phones]
    for (const one of rounds) expect(await requestTicket(one)).toMatchObject(waits('absent'))
    expect(await calls()).toBe(1)
    now += 15_000
    await meeting('/start') // without an event
    for (const one of phones) expect(await requestTicket(one)).toMatchObject(waits('unknown'))
    expect(await calls()).toBe(2)
    expect(await server.control('/state')).toMatchObject({ mails: [] })
  })

  test('each ticket has a token of its own, for one meeting and one join', async () => {
    await joinAsHost()
    const [one, two] = [await ticket(), await ticket()]
    expect(one.obf_token).toMatch(/./)
    expect(two.obf_token).not.toBe(one.obf_token)
    expect(one.zak).toBeUndefined()
    expect((await join(one)).status).toBe(200)
    expect((await join(one)).body).toMatchObject({ message: 'MEETING_FAIL_ON_BEHALF_TOKEN_INVALID' })
    expect((await join(two)).status).toBe(200)
    expect(await server.control('/state')).toMatchObject({ mails: [] })
  })

  test('refuses with advice when Zoom is down', async () => {
    await joinAsHost()
    await server.control('/faults', { match: { path: '/v2/users/me/token' }, kind: 'status', status: 500, times: 0 })
    expect(await requestTicket()).toMatchObject({ status: 502, body: { code: 'zoom_unavailable' } })
  })

  test('makes a lost meeting again, even if it was believed to run', async () => {
    await joinAsHost()
    await server.deps.zoom.callFor(host.id, deleteMeeting(numberOf()))
    expect(await requestTicket()).toMatchObject(waits('absent'))
    const { body } = await call(server, 'GET', '/host/room', { as: host })
    expect(body.data.room.zoom_meeting_id).not.toBe(numberOf())
  })

  test('reports a missing consent at Zoom', async () => {
    await joinAsHost()
    await server.control('/faults', {
      match: { path: '/v2/users/me/token' },
      ...{ kind: 'status', status: 400, code: 4711, times: 0 },
    })
    expect(await requestTicket()).toMatchObject({ status: 403, body: { code: 'zoom_reconnect' } })
  })
})

test("the host's own phone leads the meeting, and alone gets the host's key", async () => {
  const got = await ticket(await hostPhone())
  expect(got).toMatchObject({ customer_key: host.id, user_name: host.username, role: 1, zak: expect.any(String) })
  expect(got.obf_token).toBeUndefined()
  expect(await read(got.signature)).toMatchObject({ role: 1 })
  await joinAsHost()
  expect((await ticket()).zak).toBeUndefined()
})

test('no ticket is kept for a repeat, since another phone could get it by the same key', async () => {
  const as = await hostPhone()
  const headers = { 'idempotency-key': 'a-key-of-the-host-phone' }
  const answers = [1, 2].map(() => call(server, 'POST', '/mobile/join-ticket', { as, headers }))
  for (const { status } of await Promise.all(answers)) expect(status).toBe(200)
  expect(await server.deps.db.selectFrom('idempotency_keys').selectAll().execute()).toEqual([])
})

test('refuses tickets for a room without Zoom', async () => {
  const without = await buildHost(server)
  const theirs = await buildPhone(server, without, await buildRoomUser(server, without))
  expect(await requestTicket(theirs)).toMatchObject({ status: 409, body: { code: 'room_not_connected' } })
})

test('limits a user to twelve tickets a minute, with a time to retry', async () => {
  appAccount = (await zoomIdsOf(server, host)).account_id
  for (let asked = 0; asked < 12; asked++) expect((await requestTicket()).status).toBe(200)
  now += 20_000
  expect(await requestTicket()).toMatchObject({
    status: 429,
    headers: { 'retry-after': '40' },
    body: { code: 'too_many' },
  })
  const another = await buildPhone(server, host, await buildRoomUser(server, host))
  expect((await requestTicket(another)).status).toBe(200)
  now += 40_000
  expect((await requestTicket()).status).toBe(200)
})

test('many waiting phones cause one check at Zoom', async () => {
  const phones = []
  for (let one = 0; one < 5; one++) phones.push(await buildPhone(server, host, await buildRoomUser(server, host)))
  await server.control('/faults', { match: { path: '/v2/meetings/*' }, kind: 'slow', delay_ms: 300, times: 0 })
  const answers = await Promise.all(phones.map((one) => requestTicket(one)))
  expect(answers.map(({ status }) => status)).toEqual(Array(5).fill(409))
  const { faults } = await server.control('/state')
  expect((faults as { hits: number }[])[0]?.hits).toBe(1)
})
