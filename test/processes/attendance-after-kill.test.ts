import { afterAll, beforeAll, expect, test } from 'vitest'
import { AttendanceAnswer } from '../../shared/attendance.ts'
import { PRESENCE_LEASE_MS } from '../../shared/room-events.ts'
import {
  type DataFolder,
  dataFolder,
  http,
  makeHost,
  type ServerProcess,
  startServerProcess,
} from '../servers/server-process.ts'

const USER = { username: 'amina', user_id: 'U000001', password: 'secret' }
const PHONE = { username: USER.username, password: USER.password, device_id: 'phone', platform: 'android' }

let folder: DataFolder
let server: ServerProcess

beforeAll(async () => {
  folder = await dataFolder()
})
afterAll(async () => {
  await server.kill('SIGKILL')
  await folder.remove()
})

const start = () =>
  startServerProcess({ DATA_DIR: folder.path, ZOOM_CLIENT_ID: 'client', ZOOM_CLIENT_SECRET: 'secret' })

test('after a kill no one is present, and a phone that is back at once continues its stay', async () => {
  server = await start()
  const made = await makeHost(server)
  const { token } = made
  await http(server, 'POST', '/host/users', { token, body: USER })
  const body = { ...PHONE, host_id: made.user_id }
  const phone = (await http(server, 'POST', '/mobile/login', { body })).body.data.token
  const attendance = async () =>
    AttendanceAnswer.parse((await http(server, 'GET', '/host/attendance', { token })).body).data.attendance

  await http(server, 'POST', '/mobile/status', { token: phone })
  const [present] = await attendance()
  expect(present).toMatchObject({ username: 'amina', last_left: null, visits: 1 })
  const killedAt = Date.now()
  await server.kill('SIGKILL')

  server = await start()
  const [gone] = await attendance()
  const left = Date.parse(gone?.last_left ?? '')
  expect(left).toBeGreaterThanOrEqual(Date.parse(present?.first_joined ?? ''))
  expect(left).toBeLessThanOrEqual(killedAt + PRESENCE_LEASE_MS)

  await http(server, 'POST', '/mobile/status', { token: phone })
  expect(await attendance()).toMatchObject([{ first_joined: present?.first_joined, last_left: null, visits: 1 }])
})
