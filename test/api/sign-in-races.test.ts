import { beforeAll, describe, expect, inject, test } from 'vitest'
import { hashPassword } from '../../server/features/auth/passwords.ts'
import { eventLoopTurns } from '../event-loop-turns.ts'
import {
  buildHost,
  buildMaster,
  buildRoomUser,
  call,
  openSession,
  PASSWORD,
  phoneLogin,
  type SignedIn,
  type TestHost,
} from '../factories/accounts.ts'
import { setup } from '../servers/setup.ts'

/** The embedded database runs statements one at a time, which leaves fewer interleavings to try. */
const ROUNDS = 'image' in inject('database') ? 8 : 25
const IN_FLIGHT = 4

let now = Date.parse('2026-11-21T10:00:00Z')
const server = await setup({ now: () => now, keepData: true })
const { db } = server.deps
let master: SignedIn
let host: TestHost
let user: { id: string; username: string }
let link_token: string

beforeAll(async () => {
  host = await buildHost(server)
  user = await buildRoomUser(server, host)
})

/** Restores the state from before the event. */
async function reset(): Promise<void> {
  now += 2 * 3_600_000
  master = await buildMaster(server)
  const password_hash = await hashPassword(PASSWORD)
  const active = { deleted_at: null, is_active: true, password_hash }
  const paid = { subscription_cancelled_at: null, subscription_end_date: new Date(now + 30 * 86_400_000) }
  await db
    .updateTable('hosts')
    .set({ ...active, ...paid })
    .where('id', '=', host.id)
    .execute()
  await db.updateTable('app_info').set({ password_hash }).where('host_id', '=', host.id).execute()
  await db.updateTable('room_users').set({ is_active: true, password_hash }).where('id', '=', user.id).execute()
  host = { ...host, token: await openSession(server, host.id) }
  const made = await call(server, 'POST', `/host/users/${user.id}/sign-in-link`, { as: host })
  link_token = made.body.data.url.split('#link=')[1]
}

const asMaster = (method: 'POST' | 'PUT' | 'DELETE', path: string, body?: object) => () =>
  call(server, method, `/admin/hosts/${host.id}${path}`, { as: master, ...(body && { body }) })
const asHost = (method: 'POST' | 'PUT', path: () => string, body?: () => object) => () =>
  call(server, method, path(), { as: host, ...(body && { body: body() }) })

const EVENTS = {
  'its subscription is cancelled': asMaster('POST', '/cancel-subscription'),
  'it is deleted': asMaster('DELETE', ''),
  'a master sets another password': asMaster('PUT', '', { password: 'quite another one' }),
  'its room is stopped': asHost('POST', () => '/host/profile/stop'),
  'the user is deactivated': asHost('POST', () => `/host/users/${user.id}/deactivate`),
  'the user gets another password': asHost(
    'PUT',
    () => `/host/users/${user.id}`,
    () => ({ username: user.username, user_id: 'U000900', password: 'quite another one' }),
  ),
  "the host's phone gets another password": asHost(
    'PUT',
    () => '/host/app-info',
    () => ({ password: 'quite another one' }),
  ),
}

const signIns = {
  console: () => call(server, 'POST', '/auth/host/login', { body: { username: host.username, password: PASSWORD } }),
  'token from an address': () => call(server, 'POST', '/auth/claim', { as: host }),
  phone: () => phoneLogin(server, host, user, 'own-phone'),
  link: () => {
    const body = { host_id: host.user_id, link_token, device_id: 'own-phone', platform: 'web' }
    return call(server, 'POST', '/mobile/link-login', { body })
  },
  'repeated link': () => {
    const phone = { device_id: 'own-phone', device_secret: null, platform: 'web' }
    return call(server, 'POST', '/mobile/link-login', { body: { host_id: host.user_id, link_token, ...phone } })
  },
  "host's phone": () => phoneLogin(server, host, { username: host.user_id }, 'host-phone'),
}

async function works(kind: keyof typeof signIns, token: string): Promise<boolean> {
  const isPhone = kind === 'phone' || kind === 'link' || kind === 'repeated link' || kind === "host's phone"
  const [method, path] = isPhone ? (['POST', '/mobile/status'] as const) : (['GET', '/host/profile'] as const)
  return (await call(server, method, path, { as: { token }, ...(method === 'POST' && { body: {} }) })).status === 200
}

describe('a token from a login that was running is invalid after', () => {
  test.each<[keyof typeof signIns, keyof typeof EVENTS]>([
    ['console', 'its subscription is cancelled'],
    ['console', 'it is deleted'],
    ['console', 'a master sets another password'],
    ['token from an address', 'its subscription is cancelled'],
    ['token from an address', 'it is deleted'],
    ['token from an address', 'a master sets another password'],
    ['phone', 'its subscription is cancelled'],
    ['phone', 'it is deleted'],
    ['phone', 'its room is stopped'],
    ['phone', 'the user is deactivated'],
    ['phone', 'the user gets another password'],
    ['link', 'its subscription is cancelled'],
    ['link', 'it is deleted'],
    ['link', 'its room is stopped'],
    ['link', 'the user is deactivated'],
    ['link', 'the user gets another password'],
    ['repeated link', 'it is deleted'],
    ['repeated link', 'the user is deactivated'],
    ['repeated link', 'the user gets another password'],
    ["host's phone", 'its subscription is cancelled'],
    ["host's phone", 'its room is stopped'],
    ["host's phone", "the host's phone gets another password"],
  ])('%s: %s', async (kind, event) => {
    let letIn = 0
    // Continues until one was let in; otherwise the race was not tried.
    for (let round = 0; round < ROUNDS || letIn === 0; round++) {
      await reset()
      const answers = Array.from({ length: IN_FLIGHT }, signIns[kind])
      await eventLoopTurns(round)
      let happened = await EVENTS[event]()
      while (happened.status === 503) happened = await EVENTS[event]() // refused as busy, on a slow machine
      expect(happened.status).toBe(200)
      for (const { status, body } of await Promise.all(answers)) {
        expect(status, JSON.stringify(body)).toBeLessThan(500)
        if (status !== 200) continue
        letIn++
        expect(await works(kind, (body.data ?? body).token), `in round ${round}`).toBe(false)
      }
    }
  })
})
