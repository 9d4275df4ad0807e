import { appendFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { HostLoginAnswer, MasterLoginAnswer } from '../shared/auth.ts'
import { Done } from '../shared/envelope.ts'
import { HostAnswer } from '../shared/hosts.ts'
import { call } from '../shared/phone/call.ts'
import { createSchedule, type Schedule } from '../shared/phone/schedule.ts'
import { OnlineUsersAnswer, RoomUserAnswer } from '../shared/room-users.ts'
import { eventually } from '../test/eventually.ts'
import { dataFolder, MASTER, type ServerProcess, startServerProcess } from '../test/servers/server-process.ts'
import { Crowd } from './crowd.ts'
import { DeviceSecrets } from './device-secrets.ts'
import type { SimulatedPhone } from './phone.ts'
import { seededRandom } from './random.ts'
import { readWords } from './read-words.ts'
import { talk } from './scenarios/talk.ts'
import { type SignInOptions, signInPhone } from './sign-in.ts'

let folder: Awaited<ReturnType<typeof dataFolder>>
let server: ServerProcess
let hostId = ''
let host = ''
let room: Awaited<ReturnType<typeof buildRoom>>
const phones: SimulatedPhone[] = []

beforeAll(async () => {
  folder = await dataFolder()
  server = await startServerProcess({ DATA_DIR: folder.path })
  const api = `${server.public_url}/api`
  const { token } = await call(MasterLoginAnswer, 'POST', `${api}/auth/master-login`, { body: MASTER })
  const login = { username: 'ines', password: 'secret-of-ines' }
  const body = { ...login, email: 'ines@example.test', subscription_type: 1 }
  hostId = (await call(HostAnswer, 'POST', `${api}/admin/hosts/integrate`, { token, body })).data.user_id
  host = (await call(HostLoginAnswer, 'POST', `${api}/auth/host/login`, { body: login })).data.token
})

afterAll(async () => {
  await server?.kill('SIGTERM')
  await folder?.remove()
})

beforeEach(async () => {
  room = await buildRoom()
})

afterEach(async () => {
  for (const phone of phones.splice(0)) phone.close()
  await asHost('/host/trigger-bulk-mute/unmute')
})

test('a phone with a stream is online, and its reports are visible', async () => {
  const { ana } = room
  await ana.openStream()
  expect(await ana.speak()).toBe(true)
  await ana.raiseHand()
  expect(await fetchUser(ana)).toMatchObject({
    is_online: true,
    is_speaking: true,
    speaker_on: true,
    wants_to_speak: true,
  })
  await ana.stopSpeaking()
  expect(await fetchUser(ana)).toMatchObject({ is_speaking: false, speaker_on: false })
})

test('a muted phone falls silent, acknowledges the mute, and stays silent until it is unmuted', async () => {
  const { ana } = room
  await ana.openStream()
  await ana.speak()

  const muted = ana.waitForEvent((event) => event.name === 'user-mute-status' && event.data.is_muted)
  await asHost(`/host/users/${ana.user.id}/mute`)
  const { id } = await muted
  expect(ana.state).toMatchObject({ is_muted: true, is_speaking: false, speaker_on: false })
  await ana.waitForAcknowledgement(id)
  expect(await fetchUser(ana)).toMatchObject({ is_muted: true, is_speaking: false, pending_command: null })

  expect(await ana.speak()).toBe(false)
  expect(await ana.report({ is_speaking: true, speaker_on: true })).toMatchObject({ is_speaking: false })

  const unmuted = ana.waitForEvent((event) => event.name === 'user-mute-status' && !event.data.is_muted)
  await asHost(`/host/users/${ana.user.id}/unmute`)
  await unmuted
  expect(await ana.speak()).toBe(true)
})

test('Mute All silences every phone at once, and unmuting one affects that phone only', async () => {
  const { ana, bo } = room
  await Promise.all([ana.openStream(), bo.openStream()])
  await Promise.all([ana.speak(), bo.speak()])

  const all = [ana, bo].map((phone) =>
    phone.waitForEvent((event) => event.name === 'host-mute-all' && event.data.active),
  )
  await asHost('/host/trigger-bulk-mute/mute')
  await Promise.all(all)
  for (const phone of [ana, bo]) expect(phone.state).toMatchObject({ is_muted: true, is_speaking: false })

  const opened = ana.waitForEvent((event) => event.name === 'user-mute-status' && !event.data.is_muted)
  await asHost(`/host/users/${ana.user.id}/unmute`)
  await opened
  expect(await ana.speak()).toBe(true)
  expect(await bo.speak()).toBe(false)
})

test('a phone that was unreachable during a mute receives it when it returns', async () => {
  const { ana } = room
  await ana.openStream()
  ana.drop()
  expect(ana.isConnected).toBe(false)
  await asHost(`/host/users/${ana.user.id}/mute`)

  const received = ana.waitForEvent((event) => event.name === 'user-mute-status' && event.data.is_muted)
  await ana.reconnect()
  await received
  expect(ana.state.is_muted).toBe(true)
})

test('a phone that was unreachable while the host asked it to speak asks its user when it returns', async () => {
  const { ana } = room
  await ana.openStream()
  const muted = ana.waitForEvent((event) => event.name === 'user-mute-status' && event.data.is_muted)
  await asHost(`/host/users/${ana.user.id}/mute`)
  await ana.waitForAcknowledgement((await muted).id)
  ana.drop()
  await asHost(`/host/users/${ana.user.id}/unmute`)
  const repeated = ana.waitForEvent((event) => event.name === 'user-mute-status' && !event.data.is_muted)
  const opened = Promise.all([repeated, ana.reconnect()])
  await ana.waitForAcknowledgement((await repeated).id)
  await opened
  expect(ana.state).toMatchObject({ is_muted: false, asked_to_speak: true })

  await ana.report({ declined: true })
  ana.drop()
  expect(await ana.reconnect()).toMatchObject({ asked_to_speak: false })
})

describe('what a user wants of the host while the phone is unreachable', () => {
  const muteOf = (phone: SimulatedPhone, isMuted: boolean) =>
    phone.waitForEvent((event) => event.name === 'user-mute-status' && event.data.is_muted === isMuted)
  const act = async (phone: SimulatedPhone, verb: 'mute' | 'unmute') => {
    const obeyed = muteOf(phone, verb === 'mute')
    await asHost(`/host/users/${phone.user.id}/${verb}`)
    await phone.waitForAcknowledgement((await obeyed).id)
  }
  const unsentOf = (phone: SimulatedPhone, act: () => Promise<unknown>) =>
    Promise.all([new Promise((resolve) => phone.once('unsent', resolve)), expect(act()).rejects.toThrow()])

  test('reaches the host when the phone returns', async () => {
    const { ana } = room
    await ana.openStream()
    ana.drop()
    await unsentOf(ana, () => ana.raiseHand())
    await ana.reconnect()
    await eventually(async () => expect(await fetchUser(ana)).toMatchObject({ wants_to_speak: true }))
  })

  test('gives way to an unmute of the host since', async () => {
    const { ana } = room
    await ana.openStream()
    await act(ana, 'mute')
    ana.drop()
    await unsentOf(ana, () => ana.raiseHand())
    await asHost(`/host/users/${ana.user.id}/unmute`)
    const sent: unknown[] = []
    ana.on('unsent', (wishes) => sent.push(wishes))
    const unmuted = muteOf(ana, false)
    await ana.reconnect()
    await ana.waitForAcknowledgement((await unmuted).id)
    await ana.report()
    expect(sent).toEqual([{}])
    expect(await fetchUser(ana)).toMatchObject({ wants_to_speak: false, asked_to_speak: true })
  })

  test('is no answer to a host who has muted and asked anew since', async () => {
    const { ana } = room
    await ana.openStream()
    await act(ana, 'mute')
    await act(ana, 'unmute')
    ana.drop()
    await unsentOf(ana, () => ana.report({ declined: true }))
    expect(ana.state.asked_to_speak).toBe(false)
    await asHost(`/host/users/${ana.user.id}/mute`)
    await asHost(`/host/users/${ana.user.id}/unmute`)
    const asked = muteOf(ana, false)
    await ana.reconnect()
    await ana.waitForAcknowledgement((await asked).id)
    expect(await ana.report()).toMatchObject({ asked_to_speak: true })
    expect(await fetchUser(ana)).toMatchObject({ asked_to_speak: true })
  })
})

test('a phone stops when its user is deactivated, and its token is invalid', async () => {
  const { ana } = room
  await ana.openStream()
  const ended = new Promise((resolve) => ana.once('ended', resolve))
  await asHost(`/host/users/${ana.user.id}/deactivate`)
  expect(await ended).toBe('deactivated')
  expect(ana.isConnected).toBe(false)
  await expect(signInPhone(room.logins.ana)).rejects.toMatchObject({ status: 403, code: 'user_inactive' })
})

test('a second phone of a user is refused, and the same phone again ends the older login', async () => {
  const { ana, logins } = room
  await expect(signInPhone({ ...logins.ana, deviceId: 'fedcba9876543210' })).rejects.toMatchObject({
    status: 403,
    code: 'device_mismatch',
  })
  phones.push(await signInPhone(logins.ana))
  await expect(ana.report()).rejects.toMatchObject({ status: 401 })
  expect(ana.state.ended).toBe('signed_in_elsewhere')
})

test('a phone that stores its secret logs in after a restart, one with only its id does not', async () => {
  const { bo, logins } = room
  const path = join(folder.path, 'phone-secrets.jsonl')
  for (let restarts = 0; restarts < 3; restarts++) {
    const phone = await signInPhone({ ...logins.bo, secrets: await DeviceSecrets.open(path) })
    phones.push(phone)
    await phone.report()
    expect(await fetchUser(bo)).toMatchObject({ is_online: true })
    await appendFile(path, '\n["half a li') // the process was killed during a write
  }
  for (const secrets of [undefined, new DeviceSecrets()])
    await expect(signInPhone({ ...logins.bo, secrets })).rejects.toMatchObject({ status: 403, code: 'device_mismatch' })
})

test('a phone that logs out leaves the room at once', async () => {
  const { ana, bo } = room
  await Promise.all([ana.openStream(), bo.openStream()])
  await ana.logout()
  expect(ana.state.ended).toBe('left')
  expect(await fetchUser(ana)).toBeUndefined()
  expect(await fetchUser(bo)).toMatchObject({ is_online: true })
})

test('a wait that times out names the events that arrived instead', async () => {
  const { ana } = room
  await expect(ana.waitForEvent(() => false, { timeoutMs: 20 })).rejects.toThrow(
    /timed out after 20 ms; received: nothing$/,
  )
  const waiting = ana.waitForEvent((event) => event.name === 'user-deactivated')
  const failure = expect(waiting).rejects.toThrow(/^Ana \d+ is out of the room \(left\); received: test/)
  await ana.openStream()
  ana.close()
  await failure
})

test('a crowd joins together, counts a refusal once and leaves completely', async () => {
  const { ana, bo, logins } = room
  const crowd = buildCrowd()
  await crowd.signInAll([logins.ana, logins.bo, { username: logins.ana.username, password: 'wrong' }])
  expect(await Promise.all([fetchUser(ana), fetchUser(bo)])).toMatchObject([{ is_online: true }, { is_online: true }])
  expect(crowd.tally).toMatchObject({ logins: 2 })
  expect([...crowd.tally.refusals.values()]).toEqual([1])

  await crowd.leave()
  expect(crowd.phones.size).toBe(0)
  expect(await Promise.all([fetchUser(ana), fetchUser(bo)])).toEqual([undefined, undefined])
})

test('a person logged out by the host returns after a while, if the scenario says so', async () => {
  const { ana, logins } = room
  const { after } = createSchedule()
  const later: (() => void)[] = []
  const crowd = buildCrowd({
    after(ms, run) {
      if (ms < 45_000) return after(ms, run) // a heartbeat
      later.push(run)
      return () => {}
    },
  })
  await crowd.signInAll([logins.ana])
  const [phone] = crowd.phones
  const ended = new Promise((resolve) => phone?.once('ended', resolve))

  await asHost(`/host/users/${ana.user.id}/logout`)
  expect(await ended).toBe('logout')
  expect(crowd.phones.size).toBe(0)
  expect(later).toHaveLength(1)
  later[0]?.()
  await eventually(async () => expect(await fetchUser(ana)).toMatchObject({ is_online: true }))
  await crowd.leave()
})

test('phones read the word to the room and answer it, all but a few', async () => {
  const { ana, bo } = room
  await Promise.all([ana.openStream(), bo.openStream()])
  const reads: (() => void)[] = []
  const after = (_ms: number, run: () => void) => {
    reads.push(run)
    return () => {}
  }
  const schedule = { ...createSchedule(), after }
  for (const phone of [ana, bo]) readWords(phone, schedule)
  const body = { text: 'Can you hear me?', rings: false, asks: true }
  await call(Done, 'PUT', `${server.public_url}/api/host/word`, { token: host, body })
  await eventually(() => expect([ana, bo].map(({ state }) => state.words?.list.length)).toEqual([1, 1]))
  const count = reads.length
  expect(count).toBeGreaterThan(0)
  for (const read of reads.splice(0)) read()
  const word = async () => (await fetchOnline()).words?.[0]
  await eventually(async () => expect(await word()).toMatchObject({ of: 2, read: count }))
  const { well = 0, badly = 0 } = (await word()) ?? {}
  expect(well + badly).toBe(count)
  expect(reads).toEqual([]) // the answer is no new word
})

function buildCrowd(schedule: Partial<Schedule> = {}) {
  return new Crowd({
    baseUrl: server.public_url,
    hostId,
    scenario: talk,
    random: seededRandom('crowd'),
    schedule: { ...createSchedule(), ...schedule },
  })
}

let serial = 0

/** Creates two new users in the host's room, each with a signed-in phone. */
async function buildRoom() {
  const logins = { ana: await buildLogin('Ana'), bo: await buildLogin('Bo') }
  const ana = await signInPhone(logins.ana)
  const bo = await signInPhone(logins.bo)
  phones.push(ana, bo)
  return { ana, bo, logins }
}

async function buildLogin(name: string): Promise<SignInOptions> {
  const number = ++serial
  const person = { username: `${name} ${number}`, password: `password-${number}` }
  const body = { ...person, user_id: `P${number}-${name}` }
  await call(RoomUserAnswer, 'POST', `${server.public_url}/api/host/users`, { token: host, body })
  return { baseUrl: server.public_url, hostId, ...person }
}

function asHost(path: string) {
  return call(Done, 'POST', `${server.public_url}/api${path}`, { token: host })
}

const fetchOnline = () => call(OnlineUsersAnswer, 'GET', `${server.public_url}/api/host/online-users`, { token: host })

async function fetchUser(phone: SimulatedPhone) {
  const { data } = await fetchOnline()
  return data.users.find((user) => user.id === phone.user.id)
}
