import { afterEach, expect, test, vi } from 'vitest'
import type { RoomUser } from '../shared/room-users.ts'
import { listedHost, listedUser } from '../test/factories/listed.ts'
import { chooseUsers, parseCredentials, readCredentials } from './credentials.ts'
import { deviceOf } from './device.ts'
import { readOptions } from './options.ts'

afterEach(() => {
  vi.useRealTimers()
})

test('reads logins from CSV, with or without a heading, and from JSON', () => {
  const logins = [
    { username: 'Ana Lima', password: 'one,two' },
    { username: 'Zoë', password: ' spaced ' },
  ]
  expect(parseCredentials('username,password\r\nAna Lima,one,two\r\nZoë, spaced \r\n')).toEqual(logins)
  expect(parseCredentials('Ana Lima,one,two\nZoë, spaced \n')).toEqual(logins)
  expect(parseCredentials(JSON.stringify(logins))).toEqual(logins)
})

test('names a line that is not a login', () => {
  expect(() => parseCredentials('Ana,one\nZoë\n')).toThrow('Line 2 of the credentials is not username,password')
})

test('takes only users whose account expects this phone, ordered by number', () => {
  const own = deviceOf('H000001', 'own').device_id
  const users = [
    buildUser({ user_id: 'U000005', username: 'own', device_id: own }),
    buildUser({ user_id: 'U000002', username: 'new' }),
    buildUser({ user_id: 'U000001', username: 'stopped', is_active: false }),
    buildUser({ user_id: 'U000003', username: 'online', is_online: true }),
    buildUser({ user_id: 'U000004', username: 'bound', device_id: 'another-phone' }),
  ]
  expect(chooseUsers(users, 'H000001').map((user) => user.username)).toEqual(['new', 'own'])
})

test('a user has the same phone in every run, and another than the next user', () => {
  expect(deviceOf('H000001', 'Ana')).toEqual(deviceOf('H000001', 'Ana'))
  expect(deviceOf('H000001', 'Ana').device_id).toMatch(/^[0-9a-f]{16}$/)
  expect(deviceOf('H000001', 'Ana').device_id).not.toBe(deviceOf('H000002', 'Ana').device_id)
})

const buildUser = (user: Partial<RoomUser>) => listedUser('id', { is_online: false, ...user })

test('waits for passwords that are not revealed at once, as long as the server asks', async () => {
  vi.useFakeTimers()
  const revealed: number[] = []
  const answers: Record<string, () => object | null> = {
    '/auth/host/login': () => ({ data: { token: 'token', user: listedHost({ user_id: 'H000001' }) } }),
    '/host/users': () => ({ data: { users: [buildUser({ username: 'Ana' })], next_user_id: 'U000002' } }),
    '/host/users/bulk/credentials': () => {
      revealed.push(Date.now())
      const credentials = [{ id: 'id', user_id: 'U000001', username: 'Ana', password: 'lamp' }]
      const data = { host_id: 'H000001', room_name: 'Room', app_title: null, credentials, failed: [] }
      return revealed.length < 3 ? null : { data }
    },
    '/auth/host/logout': () => ({}),
  }
  vi.stubGlobal('fetch', async (url: string) => {
    const answer = answers[new URL(url).pathname.slice('/api'.length)]?.()
    if (answer) return Response.json({ success: true, ...answer })
    const refusal = { success: false, message: 'Too many passwords were shown.', code: 'too_many' }
    return Response.json(refusal, { status: 429, headers: { 'retry-after': '3' } })
  })
  const options = readOptions(
    ['--host-id', 'H000001', '--count', '1', '--host-username', 'a', '--host-password', 'b'],
    {},
  )
  if (options === 'help') throw new Error('no options')
  const reading = readCredentials(options, () => {})
  await vi.advanceTimersByTimeAsync(6_000)
  expect(await reading).toEqual([{ username: 'Ana', password: 'lamp' }])
  expect(revealed.map((at) => at - (revealed[0] ?? 0))).toEqual([0, 3_000, 6_000])
})

test('says how far it is with the logins of a large room', async () => {
  const users = Array.from({ length: 700 }, (_, n) => buildUser({ id: `id ${n}`, user_id: `U${n}`, username: `n${n}` }))
  vi.stubGlobal('fetch', async (url: string, { body = '{}' }: { body?: string } = {}) => {
    const path = new URL(url).pathname
    if (path.endsWith('/login'))
      return Response.json({ success: true, data: { token: 'token', user: listedHost({ user_id: 'H000001' }) } })
    if (path.endsWith('/host/users')) return Response.json({ success: true, data: { users, next_user_id: 'U000701' } })
    const { userIds = [] }: { userIds?: string[] } = JSON.parse(body)
    const credentials = userIds.map((id) => ({ id, user_id: id, username: id, password: 'lamp' }))
    return Response.json({
      success: true,
      data: { host_id: 'H000001', room_name: 'Room', app_title: null, credentials, failed: [] },
    })
  })
  const options = readOptions(
    ['--host-id', 'H000001', '--count', '700', '--host-username', 'a', '--host-password', 'b'],
    {},
  )
  if (options === 'help') throw new Error('no options')
  const lines: string[] = []
  expect(await readCredentials(options, (line) => lines.push(line))).toHaveLength(700)
  expect(lines).toEqual(['500 of 700 logins are read', '700 of 700 logins are read'])
})
