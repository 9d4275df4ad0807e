import { beforeEach, expect, test } from 'vitest'
import { RoomBrandingAnswer } from '../../../shared/mobile.ts'
import { buildHost, buildMaster, call, type TestHost } from '../../../test/factories/accounts.ts'
import { setup } from '../../../test/servers/setup.ts'

let now = Date.parse('2026-11-21T10:00:00Z')
let host: TestHost

const server = await setup({ now: () => now })
beforeEach(async () => {
  now += 3_600_000
  host = await buildHost(server, { room_name: 'Morning room' })
})

const view = (hostId: string, from?: string) =>
  call(server, 'GET', `/mobile/rooms/${encodeURIComponent(hostId)}`, from ? { from } : {})

test('a phone shows whose room it is before anyone signs in', async () => {
  const plain = { host_id: host.user_id, room_name: 'Morning room', user_title: null, logo_url: null }
  expect(RoomBrandingAnswer.parse((await view(host.user_id)).body).data).toEqual(plain)
  const app = {
    user_title: 'Singer',
    message: 'Rehearsal at six.',
    helpline: '+91 98765 43210',
    password: 'a secret 9',
  }
  const edited = await call(server, 'PUT', '/host/app-info', { as: host, body: { ...app, allow_recording: true } })
  expect(edited.status).toBe(200)
  const { user_title, ...hidden } = app
  const shown = await view(` ${host.user_id.toLowerCase()} `)
  expect(shown.body.data).toEqual({ ...plain, user_title })
  for (const text of Object.values(hidden)) expect(JSON.stringify(shown.body)).not.toContain(text)
})

test.each(['H999999', 'H0', 'U000001', 'H', '1', 'H00000000001', "H1' or true", 'Ｈ１x', '%'])(
  'there is no room %s',
  async (hostId) => {
    expect(await view(hostId)).toMatchObject({ status: 404, body: { code: 'not_found', message: 'Room not found' } })
  },
)

test('an id that is far too long is refused', async () => {
  expect((await view('H'.repeat(33))).status).toBe(422)
})

test('a deleted host has no room to show', async () => {
  const master = await buildMaster(server)
  await call(server, 'DELETE', `/admin/hosts/${host.id}`, { as: master })
  expect((await view(host.user_id)).status).toBe(404)
})

test('a hall of 500 phones behind one address sees the room at once, and holds up no other', async () => {
  const looks = await Promise.all(Array.from({ length: 501 }, () => view(host.user_id, '203.0.113.7')))
  expect(looks.map(({ status }) => status).toSorted()).toEqual([...Array(500).fill(200), 429])
  expect((await view(host.user_id, '198.51.100.4')).status).toBe(200)
  now += 100
  expect((await view(host.user_id, '203.0.113.7')).status).toBe(200)
  expect((await view(host.user_id, '203.0.113.7')).headers['retry-after']).toBe('1')
})

test('a room whose host hides it cannot be told from one that does not exist', async () => {
  const hide = (has_public_card: boolean) =>
    call(server, 'PUT', '/host/app-info', { as: host, body: { has_public_card } })
  expect((await hide(false)).body.appInfo).toMatchObject({ has_public_card: false })
  const strip = ({
    status,
    headers: { date: _, 'x-request-id': __, ...headers },
    body,
  }: Awaited<ReturnType<typeof view>>) => ({
    status,
    headers,
    body: { ...body, request_id: undefined },
  })
  const absent = strip(await view('H999999'))
  expect(absent.status).toBe(404)
  expect(strip(await view(host.user_id))).toEqual(absent)
  for (let n = 0; n < 9; n++) await view(host.user_id, '203.0.113.8')
  await view('H999999', '203.0.113.8')
  expect((await view(host.user_id, '203.0.113.8')).status).toBe(429) // a hit would not have counted
  await hide(true)
  expect((await view(host.user_id)).body.data.room_name).toBe('Morning room')
})

test('of many unknown Host IDs at once ten are answered, and those of rooms that exist all are', async () => {
  const from = (n: number) => `2001:db8:9:${n.toString(16)}::1`
  const known = await Promise.all(Array.from({ length: 40 }, (_, n) => view(host.user_id, from(n))))
  expect(known.filter(({ status }) => status !== 200)).toEqual([])
  const misses = await Promise.all(Array.from({ length: 40 }, (_, n) => view(`H99${9000 + n}`, from(n))))
  expect(misses.map(({ status }) => status).toSorted()).toEqual([...Array(10).fill(404), ...Array(30).fill(429)])
})

test('after ten unknown Host IDs in a minute a network learns nothing more, of rooms that exist either', async () => {
  const from = (n: number) => `2001:db8:7:${n.toString(16)}::1`
  for (let n = 0; n < 10; n++) {
    expect((await view('H999999', from(n))).status).toBe(404)
    now += 1_000
  }
  expect(await view('H999998', from(10))).toMatchObject({ status: 429, headers: { 'retry-after': '50' } })
  expect((await view(host.user_id, from(11))).status).toBe(429)
  expect((await view(host.user_id, '2001:db8:8::1')).status).toBe(200)
  now += 50_000
  expect((await view(host.user_id, from(11))).status).toBe(200)
})
