import { createServer, request } from 'node:http'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { AppInfoAnswer } from '../shared/app-info.ts'
import { HostLoginAnswer, MasterLoginAnswer } from '../shared/auth.ts'
import { Done } from '../shared/envelope.ts'
import { type Host, HostsAnswer } from '../shared/hosts.ts'
import { call } from '../shared/phone/call.ts'
import { createSchedule, type Schedule } from '../shared/phone/schedule.ts'
import { RecordingsAnswer } from '../shared/recordings.ts'
import { OnlineUsersAnswer, RoomUsersAnswer } from '../shared/room-users.ts'
import { RoomAnswer } from '../shared/rooms.ts'
import { ZOOM_SCOPES } from '../shared/zoom-scopes.ts'
import { Crowd } from '../simulator/crowd.ts'
import { seededRandom } from '../simulator/random.ts'
import { SAMPLE_HOSTS, SAMPLE_MASTER } from '../simulator/sample-logins.ts'
import { quietRoom } from '../simulator/scenarios/quiet-room.ts'
import { signInPhone } from '../simulator/sign-in.ts'
import { eventually } from '../test/eventually.ts'
import { dataFolder, type ServerProcess, startServerProcess } from '../test/servers/server-process.ts'
import { connectZoom } from './connect-zoom.ts'
import { setDemoOptions, startFirstMeeting } from './first-meeting.ts'
import { addSampleData, OtherMasterError, type SampleDataOptions } from './sample-data.ts'
import { SAMPLE_PEOPLE, samplePassword } from './sample-people.ts'

const DAY_MS = 86_400_000

let folder: Awaited<ReturnType<typeof dataFolder>>
let server: ServerProcess
let options: SampleDataOptions

beforeAll(async () => {
  folder = await dataFolder()
  server = await startServerProcess({
    DATA_DIR: folder.path,
    MASTER_EMAIL: SAMPLE_MASTER.email,
    MASTER_PASSWORD: SAMPLE_MASTER.password,
    ZOOM_EMULATOR_CONTROL: '1',
  })
  const { public_url, emulator_origin } = server
  options = { server: public_url, publicUrl: public_url, emulatorOrigin: emulator_origin, master: SAMPLE_MASTER }
})

afterAll(async () => {
  await server?.kill('SIGTERM')
  await folder?.remove()
})

test("leaves another master's installation unchanged", async () => {
  const stranger = { ...SAMPLE_MASTER, password: 'not this one' }
  await expect(addSampleData({ ...options, master: stranger })).rejects.toThrow(OtherMasterError)
  expect(await hosts()).toEqual([])
})

test('interrupted starts complete each other without duplicates', async () => {
  for (let starts = 1; ; starts++) {
    // Some are cut before the server receives the call, others after it has handled it.
    const cut = await startProxy(server.public_url, { breaksAfter: 9 + starts, forwardsLast: starts % 2 === 0 })
    const done = await addSampleData({ ...options, server: cut.url }).catch(() => null)
    cut.close()
    if (done) break
    expect(starts).toBeLessThan(20)
  }

  const [circle, choir, readers, ...more] = (await hosts()).toSorted((a, b) => a.numerical_id - b.numerical_id)
  expect(more).toEqual([])
  expect(circle).toMatchObject({
    user_id: 'H000001',
    subscription_status: 'active',
    zoom_connected: true,
    zoom_status: 'connected',
    rooms: [{ zoom_meeting_id: expect.stringMatching(/^\d+$/) }],
    user_count: 40,
  })
  expect(choir?.subscription_status).toBe('cancelled')
  expect(readers?.subscription_status).toBe('active')
  const daysLeft = (Date.parse(readers?.subscription_end_date ?? '') - Date.now()) / DAY_MS
  expect(daysLeft).toBeGreaterThan(0)
  expect(daysLeft).toBeLessThan(7)

  const token = await circleToken()
  const { users, next_user_id } = (await call(RoomUsersAnswer, 'GET', api('/host/users'), { token })).data
  expect(users.map((user) => user.username).toSorted()).toEqual(SAMPLE_PEOPLE.map((each) => each.username).toSorted())
  expect(next_user_id).toBe('U000041')
})

test('adds twelve recordings over six months to the first room', async () => {
  const token = await circleToken()
  const from = new Date(Date.now() - 183 * DAY_MS).toISOString().slice(0, 10)
  const query = `from=${from}&page_size=100&fetch_all=true&file_types=M4A&fetch_live=true`
  const { recordings } = (await call(RecordingsAnswer, 'GET', api(`/recordings?${query}`), { token })).data
  expect(recordings).toHaveLength(12)
  const times = recordings.map((recording) => Date.parse(recording.created_at))
  expect(Math.max(...times) - Math.min(...times)).toBeGreaterThan(150 * DAY_MS)
})

test('fills in what the phones of the first room show', async () => {
  const { appInfo } = await call(AppInfoAnswer, 'GET', api('/host/app-info'), { token: await circleToken() })
  expect(appInfo).toMatchObject({ user_title: 'Evening Study Circle', helpline: expect.stringMatching(/^\+/) })
  expect(appInfo.message).toBeTruthy()
})

test('phones join the meeting of the first room, and the next one after it has ended', async () => {
  const token = await circleToken()
  const zoom = server.emulator_origin ?? ''
  await setDemoOptions(zoom)
  await startFirstMeeting(server.public_url)
  const real = createSchedule()
  const schedule: Schedule = { ...real, wait: (ms, signal) => real.wait(ms / 20, signal) }
  const random = seededRandom('1')
  const crowd = new Crowd({
    baseUrl: server.public_url,
    hostId: 'H000001',
    scenario: quietRoom,
    random,
    schedule,
    zoom,
  })
  await crowd.signInAll(
    [0, 1].map((at) => ({ username: SAMPLE_PEOPLE[at]?.username ?? '', password: samplePassword(at) })),
  )
  const inMeeting = async () => {
    const { users } = (await call(OnlineUsersAnswer, 'GET', api('/host/online-users'), { token })).data
    return users.filter((user) => user.in_meeting).length
  }
  const becomes = (count: number) => eventually(async () => expect(await inMeeting()).toBe(count))
  const control = async (path: string) => (await call(RoomAnswer, 'POST', api(path), { token })).data.room

  await becomes(2)
  expect(await control('/host/recording/stop')).toMatchObject({ is_live: true, recording: 'none' })
  await eventually(async () => {
    const { recordings } = (await call(RecordingsAnswer, 'GET', api('/recordings?fetch_live=true'), { token })).data
    expect(recordings.map(({ file_name }) => file_name)).toContainEqual(
      expect.stringMatching(/^Evening Study Circle –/),
    )
  })
  expect(await control('/host/room/end')).toMatchObject({ is_live: false })
  await becomes(0)
  await startFirstMeeting(server.public_url)
  await becomes(2)
  real.close()
  await crowd.leave()
  const { room } = (await call(RoomAnswer, 'GET', api('/host/room'), { token })).data
  expect(room.is_live).toBe(true)
})

test('prints a phone login that works', async () => {
  const last = SAMPLE_PEOPLE.length - 1
  const username = SAMPLE_PEOPLE[last]?.username ?? ''
  const phone = await signInPhone({
    baseUrl: server.public_url,
    hostId: 'H000001',
    username,
    password: samplePassword(last),
  })
  expect(phone.room.room_name).toBe('Evening Study Circle')
  await phone.logout()
})

test("a later start adds nothing and keeps people's changes", async () => {
  const [, choir] = (await hosts()).toSorted((a, b) => a.numerical_id - b.numerical_id)
  const token = await masterToken()
  const url = api(`/admin/hosts/${choir?.id}/extend-subscription`)
  await call(Done, 'POST', url, { token, body: { additional_months: 3 } })
  const before = await hosts()

  const { circle, isNew } = await addSampleData(options)
  expect(isNew).toBe(false)
  expect(circle.username).toBe(SAMPLE_HOSTS.circle.username)
  const later = await hosts()
  expect(later.map(({ id, subscription_status }) => ({ id, subscription_status }))).toEqual(
    before.map(({ id }) => ({ id, subscription_status: 'active' })),
  )
})

test('consents again where an update needs more of Zoom than was granted', async () => {
  const token = await masterToken()
  const grant = (scopes: string[]) =>
    call(z.object({}), 'POST', `${server.emulator_origin}/_emulator/options`, { body: { scopes } })
  const all = ZOOM_SCOPES.map(({ scope }) => scope)
  await grant(all.filter((scope) => scope !== 'meeting:update:status'))
  const email = 'amara@evening-circle.example'
  const returnUrl = `${server.public_url}/oauth-success`
  const find = async () => (await hosts()).find(({ username }) => username === SAMPLE_HOSTS.circle.username)
  const hostId = (await find())?.id ?? ''
  await connectZoom({ server: server.public_url, token, email, returnUrl, hostId })
  expect((await find())?.zoom_warnings).toMatchObject([{ code: 'scopes_missing' }])

  await grant(all)
  const { circle } = await addSampleData(options)
  expect(circle).toMatchObject({ zoom_status: 'connected', zoom_warnings: [] })
})

test('does not recreate a deleted sample host', async () => {
  const token = await masterToken()
  const choir = (await hosts()).find((host) => host.username === SAMPLE_HOSTS.choir.username)
  await call(Done, 'DELETE', api(`/admin/hosts/${choir?.id}`), { token })
  expect((await addSampleData(options)).isNew).toBe(false)
  expect(await hosts()).toHaveLength(2)
})

const api = (path: string) => `${server.public_url}/api${path}`

let master: Promise<string> | undefined
/** Shares one session among all tests: a master may sign in 20 times in a row, then 6 times a minute. */
function masterToken(): Promise<string> {
  master ??= call(MasterLoginAnswer, 'POST', api('/auth/master-login'), { body: SAMPLE_MASTER }).then(
    ({ token }) => token,
  )
  return master
}

async function circleToken() {
  const { username, password } = SAMPLE_HOSTS.circle
  return (await call(HostLoginAnswer, 'POST', api('/auth/host/login'), { body: { username, password } })).data.token
}

async function hosts(): Promise<Host[]> {
  return (await call(HostsAnswer, 'GET', api('/admin/hosts'), { token: await masterToken() })).data.hosts
}

/** A proxy that breaks after some calls, as if the demo had been killed. */
function startProxy(target: string, { breaksAfter, forwardsLast }: { breaksAfter: number; forwardsLast: boolean }) {
  let calls = 0
  const way = createServer((incoming, outgoing) => {
    calls += 1
    const isCut = calls > breaksAfter
    if (isCut && !(forwardsLast && calls === breaksAfter + 1)) return outgoing.destroy()
    const { method, headers } = incoming
    const onward = request(new URL(incoming.url ?? '/', target), { method, headers }, (answer) => {
      if (isCut) return outgoing.destroy()
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(outgoing)
    })
    incoming.pipe(onward)
  })
  return new Promise<{ url: string; close: () => void }>((resolve, reject) => {
    way.listen(0, '127.0.0.1', () => {
      const address = way.address()
      if (!address || typeof address === 'string') return reject(new Error('No port'))
      resolve({
        url: `http://127.0.0.1:${address.port}`,
        close: () => {
          way.close()
          way.closeAllConnections()
        },
      })
    })
  })
}
