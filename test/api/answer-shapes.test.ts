import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { buildPhone, buildRoomUser, call, PASSWORD } from '../factories/accounts.ts'
import { addGroup } from '../factories/groups.ts'
import { documentedCalls } from './documented-calls.ts'
import { buildWorld, type Caller, exampleRequest, sendRequest, tokenOf } from './route-world.ts'

/** The text fields with secret-sounding names that each route may return. */
const SECRET_FIELDS: Record<string, string[]> = {
  'POST /api/auth/host/login': ['token'],
  'POST /api/auth/master-login': ['token'],
  'POST /api/auth/second-factor': ['token'],
  'POST /api/auth/claim': ['token'],
  'POST /api/account/totp': ['secret'],
  'POST /api/mobile/login': ['device_secret', 'token'],
  'POST /api/mobile/link-login': ['device_secret', 'token'],
  'POST /api/mobile/join-ticket': ['obf_token', 'passcode', 'signature'],
  'POST /api/host/seat': ['passcode', 'signature'],
  'POST /api/host/users/:id/credentials': ['password'],
  'POST /api/host/users/bulk/credentials': ['password'],
  'GET /api/host/room': ['password'], // the passcode of the meeting
  'POST /api/host/room/end': ['password'],
  'POST /api/host/recording/:action': ['password'],
}
/** Routes whose response is a password or a token. */
const ANSWERS_SECRETS = [
  '/credentials',
  '/login',
  '/link-login',
  '/sign-in-link',
  '/reset-link',
  '/master-login',
  '/auth/claim',
  '/auth/second-factor',
  '/join-ticket',
  '/room/start',
  '/host/seat',
]
const MAY_BE_EMPTY = [
  'zoom_warnings',
  'failed',
  'excludeCredentials',
  'hints',
  'moderators',
  'hosts_in_trouble',
  'group_ids',
]
/** The lists of files, which the tests of these fill. */
const IN_A_FILE = [
  'sessions',
  'phone_requests',
  'sign_in_links',
  'group_names',
  'user_groups',
  'meetings_at_zoom',
  'erasures',
]

const now = Date.now()
const world = await buildWorld(() => now) // a fixed clock keeps the phone online
afterAll(() => world.close())

const OfSeveralTypes = z.object({
  content: z.object({ 'application/json': z.object({ schema: z.instanceof(z.ZodType) }) }),
})
const Responses = z.object({ 200: z.union([z.instanceof(z.ZodType), OfSeveralTypes]) })

/** Calls everything that answers JSON, once per permitted role; stopping the room is last, as it locks phones out. */
const answers = (await documentedCalls(world))
  .filter(({ operation }) => operation.responses['200']?.content?.['application/json'])
  .filter(({ path }) => path !== '/api/openapi.json' && path !== '/api/zoom/webhooks')
  .filter(({ key }) => key !== 'POST /api/account/passkeys') // it needs the session that got its options
  .filter(({ key }) => !/^(PUT|DELETE) .api.host.seat$/.test(key)) // they need the session that took the seat
  .toSorted((one, other) => Number(one.path.endsWith('/profile/stop')) - Number(other.path.endsWith('/profile/stop')))
  .flatMap(({ method, path, operation }) => {
    const route = `${method} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`
    const stated = Responses.parse(world.app.routeList.get(route)?.schema?.response)[200]
    const schema = stated instanceof z.ZodType ? stated : stated.content['application/json'].schema
    // A manager's changes are the host's, by the same handlers; some of them can be done once.
    const roles = operation['x-roles'].filter((access) => access !== 'manager' || method === 'GET')
    return roles.map((access) => ({ route, method, schema, caller: callerOf(access) }))
  })

function callerOf(access: 'public' | Exclude<Caller, 'anonymous' | 'other' | 'cancelled'>): Caller {
  return access === 'public' ? 'anonymous' : access
}

beforeAll(async () => {
  // Fills every list: a phone online, a pending command, a stay, a meeting within the days of the example, a subscription
  // that ends soon.
  const phone = await buildPhone(world, world.host, await buildRoomUser(world, world.host))
  await call(world, 'POST', `/host/users/${phone.id}/mute`, { as: world.host })
  const { id: group } = await addGroup(world, world.host)
  const members = { userIds: [phone.id], change: 'add' }
  await call(world, 'POST', `/host/groups/${group}/users`, { as: world.host, body: members })
  const { db } = world.deps
  const subscription_end_date = new Date(world.deps.now() + 86_400_000)
  await db.updateTable('hosts').set({ subscription_end_date }).where('id', '=', world.other.id).execute()
  const room = await db.selectFrom('rooms').select('id').where('host_id', '=', world.host.id).executeTakeFirstOrThrow()
  const times = { began_at: '2026-11-10T09:00:00Z', live_reported_at: '2026-11-10T10:00:00Z' }
  await db
    .insertInto('sittings')
    .values({ room_id: room.id, meeting_uuid: 'GtLl8TrOSLqJqI8rUGEqhQ==', meeting_id: '1', is_live: false, ...times })
    .execute()
})

test.each(answers)(
  '$route answers a $caller as documented, without secrets',
  async ({ route, method, schema, caller }) => {
    const { status, body, text } = await sendRequest(
      world,
      method,
      await exampleRequest(world, route, caller),
      await tokenOf(world, caller),
    )
    expect(status, text).toBe(200)
    expect(schema.parse(body)).toEqual(body) // the schema strips unknown fields
    const fields = fieldsOf(body)
    const isEmpty = (value: unknown) => Array.isArray(value) && value.length === 0
    expect(fields.filter(([name, value]) => isEmpty(value) && ![...MAY_BE_EMPTY, ...IN_A_FILE].includes(name))).toEqual(
      [],
    ) // else untested

    const isSecret = ([name, value]: [string, unknown]) =>
      typeof value === 'string' && /pass|secret|token|hash|cipher|signature/.test(name)
    const names = new Set(fields.filter(isSecret).map(([name]) => name))
    const isHidden = caller === 'moderator' && route === 'GET /api/host/room'
    expect([...names].sort()).toEqual(isHidden ? [] : (SECRET_FIELDS[route] ?? []))
    expect(text).not.toMatch(/\$argon2|_hash|ciphertext|(name|mail|_id)_key"|refresh_token|access_token/)
    if (ANSWERS_SECRETS.some((end) => route.endsWith(end))) return
    expect(text).not.toContain(PASSWORD)
    expect(text).not.toMatch(/eyJ[\w-]+\.[\w-]+\.[\w-]+/)
  },
)

function fieldsOf(value: unknown): [string, unknown][] {
  if (value === null || typeof value !== 'object') return []
  return Object.entries(value).flatMap(([name, inner]) => [[name, inner], ...fieldsOf(inner)])
}
