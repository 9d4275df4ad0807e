import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { ALL_TABLES } from '../../server/features/backup/backup-tables.ts'
import { emptyRows } from '../../server/features/person/erase-person.ts'
import { clearErasures, finishErasures } from '../../server/features/person/jobs.ts'
import type { RoomUser } from '../../shared/room-users.ts'
import {
  buildAssistant,
  buildHost,
  buildPhone,
  buildRoomUser,
  call,
  phoneLogin,
  readAudit,
  type TestHost,
  type TestPhone,
} from '../factories/accounts.ts'
import { addGroup } from '../factories/groups.ts'
import { setup } from '../servers/setup.ts'

const MINUTE = 60_000
const DAY = 86_400_000
let now = Date.parse('2026-11-21T10:00:00Z')
let host: TestHost
let user: RoomUser
let other: RoomUser
let phone: TestPhone

const server = await setup({ now: () => now })

/** Makes a user who has left rows in every table that names one, beside another user of the room. */
beforeEach(async () => {
  now += DAY
  host = await buildHost(server)
  user = await buildRoomUser(server, host, { username: 'Wilhelmina Quartz', reference: 'Second soprano' })
  other = await buildRoomUser(server, host, { username: 'Somebody Else', reference: 'Bass' })
  phone = await buildPhone(server, host, user)
  await phoneLogin(server, host, user, 'a-second-device')
  await act(`/host/users/${other.id}/sign-in-link`)
  await act('/host/users/bulk/switch', { userIds: [other.id] })
  await act('/host/users/bulk/mute', { userIds: [user.id, other.id] })
  const room_id = await roomId()
  const { db } = server.deps
  const past = { joined_at: new Date(now - DAY), left_at: new Date(now - DAY + MINUTE) }
  for (const { id, user_id, username } of [user, other]) {
    await db
      .insertInto('stays')
      .values({ room_id, room_user_id: id, user_id, username, ...past })
      .execute()
    const times = { began_at: past.joined_at, ended_at: past.left_at }
    await db
      .insertInto('speeches')
      .values({ room_id, room_user_id: id, ...times })
      .execute()
  }
  await db
    .insertInto('attendee_links')
    .values({ room_id, folded_name: 'mina from zoom', room_user_id: user.id, created_at: new Date(now) })
    .execute()
  await db
    .insertInto('phone_requests')
    .values({
      ...{ room_user_id: user.id, ticket_hash: `hash of ${user.id}`, device_id: 'asking-device', platform: 'web' },
      requested_at: new Date(now),
    })
    .execute()
  await db
    .insertInto('sign_in_links')
    .values({ room_user_id: user.id, token_hash: `link of ${user.id}`, expires_at: new Date(now + DAY) })
    .execute()
  const sitting = { room_id, meeting_uuid: 'a-sitting', reported_at: new Date(now) }
  const { reported_at: live_reported_at, ...id } = sitting
  await db
    .insertInto('sittings')
    .values({ ...id, meeting_id: '1', began_at: new Date(now), is_live: true, live_reported_at })
    .execute()
  await db
    .insertInto('sitting_people')
    .values({ ...sitting, participant: 'p1', room_user_id: user.id, is_present: true })
    .execute()
  const hand = { room_id, meeting_uuid: 'a-sitting', room_user_id: user.id, raised_at: new Date(now) }
  await db.insertInto('raised_hands').values(hand).execute()
  const headers = { 'idempotency-key': 'of the phone' }
  await call(server, 'POST', '/mobile/logout', { as: phone, headers })
  phone = { ...phone, ...(await signInAgain()) }
  await server.deps.stays.flush()
})

async function signInAgain(): Promise<{ token: string }> {
  const { token } = (await phoneLogin(server, host, user, phone.device_id)).body.data
  await call(server, 'POST', '/mobile/status', { as: { token } })
  return { token }
}

const act = (path: string, body?: object, as: { token: string } = host) =>
  call(server, 'POST', path, { as, ...(body && { body }) })
const erase = (id = user.id, confirm_name = user.username, as: { token: string } = host) =>
  act(`/host/users/${id}/erase`, { confirm_name }, as)

async function roomId(): Promise<string> {
  const room = server.deps.db.selectFrom('rooms').select('id').where('host_id', '=', host.id)
  return (await room.executeTakeFirstOrThrow()).id
}

async function exported(id = user.id, as: { token: string } = host) {
  return server.app.inject({
    url: `/api/host/users/${id}/export`,
    headers: { host: 'localhost:3000', authorization: `Bearer ${as.token}` },
  })
}

/** The tables with rows about a room user: true where an erasure keeps the row, with the user's id alone. */
const TABLES_OF_A_USER = {
  room_users: false,
  phone_requests: false,
  sign_in_links: false,
  attendee_links: false,
  sessions: false,
  sitting_people: false,
  idempotency_keys: false,
  stays: true,
  speeches: true,
  raised_hands: true,
  audit: true,
  erasures: true,
}
/** The tables without any. Decide for a new table, and if it has some, erase and export them. */
const OTHER_TABLES = [
  ...[
    'masters',
    'hosts',
    'app_info',
    'planned_meetings',
    'user_groups',
    'planned_checks',
    'subscription_changes',
    'assistants',
    'account_links',
    'mails',
    'host_mails',
  ],
  ...['totp_secrets', 'passkeys', 'recovery_codes', 'second_factor_failures', 'security_settings'],
  ...['sign_in_challenges', 'passkey_challenges', 'known_devices', 'refused_sign_ins', 'refused_sign_in_days'],
  ...['rooms', 'seats', 'sittings', 'report_links', 'zoom_app_joins', 'recordings', 'recording_marks'],
  ...['transcripts', 'transcript_cues'], // what was said, see docs/privacy.md
  ...['zoom_links', 'zoom_events', 'zoom_errors', 'zoom_purges', 'oauth_states', 'oauth_results'],
  ...['installation', 'nodes', 'backup_schedule'],
]

/** Returns the tables that hold this text. */
async function tablesWith(text: string): Promise<string[]> {
  const lines = (await everything()).split('\n').filter((line) => line.includes(text))
  return [...new Set(lines.map((line) => line.split(' ')[0] ?? ''))].sort()
}

/** Returns the whole database as text, without what the installation itself holds. */
async function everything(): Promise<string> {
  const { rows } = await sql<{ name: string }>`
    select table_name as name from information_schema.tables
    where table_schema = 'public' and table_type = 'BASE TABLE' and table_name not like 'migrations%'`.execute(
    server.deps.db,
  )
  const parts: string[] = []
  for (const { name } of rows) {
    const found = await sql<{ text: string }>`select to_jsonb(t)::text as text from ${sql.table(name)} as t`.execute(
      server.deps.db,
    )
    parts.push(...found.rows.map(({ text }) => `${name} ${text}`))
  }
  return parts.join('\n')
}

const namesOf = () => [
  ...['Wilhelmina Quartz', 'wilhelmina quartz', 'Second soprano', 'mina from zoom', 'asking-device', 'a-second-device'],
  ...[phone.device_id, `"${user.user_id}"`],
]

test('for each table it is decided whether a room user is in it, and the tests fill those', async () => {
  const of = Object.keys(TABLES_OF_A_USER)
  expect([...of, ...OTHER_TABLES].sort()).toEqual(ALL_TABLES.toSorted())
  expect(await tablesWith(user.id)).toEqual(of.filter((name) => name !== 'erasures').sort())
})

describe('POST /api/host/users/:id/erase', () => {
  test('leaves no name, reference, device or text of the user in any table, and all of the others', async () => {
    const before = await everything()
    expect(namesOf().filter((name) => !before.includes(name))).toEqual([])
    const answer = await erase()
    expect(answer).toMatchObject({ status: 200, body: { data: { stays: 2 } } })
    await server.deps.db.deleteFrom('idempotency_keys').execute()
    const after = await everything()
    expect(namesOf().filter((name) => after.includes(name))).toEqual([])
    const kept = Object.entries(TABLES_OF_A_USER).flatMap(([name, isKept]) => (isKept ? [name] : []))
    expect(await tablesWith(user.id)).toEqual(kept.sort())
    for (const name of ['Somebody Else', 'Bass']) expect(after).toContain(name)
    const stored = server.deps.db.selectFrom('sessions').select('id').where('room_user_id', '=', user.id)
    expect(await stored.execute()).toEqual([])
  })

  test('keeps times and counts: attendance lists a stay without a name, the audit what was done', async () => {
    const list = async () =>
      (await call(server, 'GET', '/host/attendance?from=2026-01-01&to=2026-12-31', { as: host })).body.data
    const counts = ({ attendance, stays_total }: Awaited<ReturnType<typeof list>>) => ({
      stays_total,
      of: attendance.find(({ id }: { id: string }) => id === user.id),
    })
    const before = counts(await list())
    const { body } = await erase()
    const after = counts(await list())
    expect(after.stays_total).toBe(before.stays_total)
    expect(after.of).toMatchObject({ username: 'erased', user_id: '', reference: null, visits: before.of.visits })
    const { entries } = await readAudit(server, host, `user=${user.id}&limit=200`, '/host/audit')
    expect(entries).toHaveLength(body.data.audit_rows + 1)
    const [erased, ...rest] = entries
    expect(erased).toMatchObject({
      action: 'person_erased',
      actor: { id: host.id },
      target: { id: user.id, name: null },
      after: body.data,
    })
    expect(rest.map(({ action }) => action)).toEqual(
      expect.arrayContaining(['user_created', 'phone_login', 'user_mute']),
    )
    for (const { before, after, ip, target, actor } of rest)
      if (target?.id === user.id || actor.id === user.id) expect([before, after, ip]).toEqual([null, null, null])
    const [mute] = (await readAudit(server, host, 'action=user_mute', '/host/audit')).entries
    expect(mute?.before?.users).toEqual(expect.arrayContaining([{ id: user.id }, { id: other.id, is_muted: false }]))
    expect(mute?.ip).not.toBeNull()
  })

  test('signs the phone out, and the live room shows the user gone', async () => {
    await erase()
    expect(await call(server, 'POST', '/mobile/status', { as: phone })).toMatchObject({ status: 401 })
    const users = (await call(server, 'GET', '/host/users', { as: host })).body.data.users
    expect(users.map(({ id }: RoomUser) => id)).toEqual([other.id])
    expect((await call(server, 'GET', '/host/online-users', { as: host })).body.data.users).toEqual([])
    expect((await phoneLogin(server, host, user, phone.device_id)).status).toBe(400)
    await server.deps.stays.flush()
    const open = server.deps.db.selectFrom('stays').select('id').where('left_at', 'is', null)
    expect(await open.execute()).toEqual([])
  })

  test('wants the name, in any case, and changes nothing without it', async () => {
    for (const name of ['Somebody Else', 'Wilhelmina', user.user_id])
      expect(await erase(user.id, name)).toMatchObject({ status: 422, body: { errors: [{ path: 'confirm_name' }] } })
    expect((await act(`/host/users/${user.id}/erase`, {})).status).toBe(422)
    expect((await call(server, 'GET', `/host/users/${user.id}`, { as: host })).status).toBe(200)
    expect((await erase(user.id, ' wilhelmina QUARTZ ')).status).toBe(200)
  })

  test('is refused for the user of another host, an unknown one, and to assistants', async () => {
    const stranger = await buildHost(server)
    expect((await erase(user.id, user.username, stranger)).status).toBe(404)
    const helper = await buildAssistant(server, host, 'moderator')
    await act('/host/trigger-bulk-mute/mute', undefined, helper)
    for (const id of ['x', host.id, helper.id, crypto.randomUUID()]) expect((await erase(id, id)).status).toBe(404)
    for (const role of ['manager', 'moderator'] as const)
      expect((await erase(user.id, user.username, await buildAssistant(server, host, role))).status).toBe(403)
    expect((await call(server, 'GET', `/host/users/${user.id}`, { as: host })).status).toBe(200)
  })

  test('needs a confirmation, and the confirmed repeat takes effect', async () => {
    now += 16 * MINUTE
    const headers = { 'idempotency-key': 'once' }
    const press = () =>
      call(server, 'POST', `/host/users/${user.id}/erase`, { as: host, headers, body: { confirm_name: user.username } })
    expect(await press()).toMatchObject({ status: 403, body: { code: 'confirm_needed' } })
    await act('/account/confirm', { password: 'correct horse battery' })
    expect((await press()).status).toBe(200)
  })

  test('two at once and a late repeat get the same answer, and it is audited once', async () => {
    const answers = await Promise.all([erase(), erase()])
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    const repeat = await erase(user.id, 'erased')
    expect(repeat).toMatchObject({ status: 200, body: { data: { stays: 2 } } })
    expect((await readAudit(server, host, 'action=person_erased', '/host/audit')).entries).toHaveLength(1)
  })

  test('works after a deletion, by the name of then, also of one of many who was never there', async () => {
    const [one, two] = [await buildRoomUser(server, host, { username: 'Opal' }), await buildRoomUser(server, host)]
    await act('/host/users/bulk/delete', { userIds: [one.id, two.id] })
    await act(`/host/users/${user.id}/delete`)
    expect((await erase(user.id, 'wrong')).status).toBe(422)
    expect((await erase()).status).toBe(200)
    expect(await erase(one.id, 'Opal')).toMatchObject({ status: 200, body: { data: { stays: 0 } } })
    await server.deps.db.deleteFrom('idempotency_keys').execute()
    const left = await everything()
    expect([...namesOf(), 'Opal'].filter((name) => left.includes(name))).toEqual([])
    expect(left).toContain(two.username)
  })
})

describe('an erasure that broke off', () => {
  const person = async () => ({ id: user.id, room_id: await roomId(), host_id: host.id })

  test('is finished by the job, in steps', async () => {
    const room_id = await roomId()
    const stays = Array.from({ length: 1_100 }, (_, at) => ({
      ...{ room_id, room_user_id: user.id, user_id: user.user_id, username: user.username },
      ...{ joined_at: new Date(now - at * 1_000), left_at: new Date(now) },
    }))
    await server.deps.db.insertInto('stays').values(stays).execute()
    const begun = { room_user_id: user.id, room_id, erased_at: new Date(now) }
    await server.deps.db.insertInto('erasures').values(begun).execute()
    await emptyRows(server.deps, await person(), AbortSignal.abort())
    expect(await everything()).toContain('Wilhelmina Quartz')
    await server.deps.db.deleteFrom('room_users').where('id', '=', user.id).execute()
    now += 2 * 60 * MINUTE
    expect(await finishErasures.run(server.deps)).toBeGreaterThan(1_100)
    await server.deps.db.deleteFrom('idempotency_keys').execute()
    const left = await everything()
    expect(namesOf().filter((name) => left.includes(name))).toEqual([])
    const [erasure] = await server.deps.db.selectFrom('erasures').selectAll().execute()
    expect(erasure?.finished_at).toEqual(new Date(now))
    expect(await finishErasures.run(server.deps)).toBe(0)
  })

  test('what comes in within the hour after it is taken out too, and the mark goes after 30 days', async () => {
    await erase()
    const late = { joined_at: new Date(now), left_at: new Date(now) }
    const stay = { room_id: await roomId(), room_user_id: user.id, user_id: user.user_id, username: user.username }
    await server.deps.db
      .insertInto('stays')
      .values({ ...stay, ...late })
      .execute()
    await server.deps.db
      .insertInto('audit')
      .values({
        actor_role: 'phone',
        actor_id: user.id,
        host_id: host.id,
        action: 'phone_login_refused',
        ip: '10.9.8.7',
      })
      .execute()
    now += 59 * MINUTE
    expect(await finishErasures.run(server.deps)).toBe(2)
    expect(await everything()).not.toContain('10.9.8.7')
    now += 30 * DAY - 59 * MINUTE
    expect(await clearErasures.run(server.deps)).toBe(0)
    now += 1
    expect(await clearErasures.run(server.deps)).toBe(1)
  })
})

describe('GET /api/host/users/:id/export', () => {
  test('is a readable file with all that is kept of the user, without secrets and without others', async () => {
    await act(`/host/users/${other.id}/credentials`)
    const { id } = await addGroup(server, host, { name: 'Soloists' })
    await addGroup(server, host, { name: 'Of others' })
    await server.deps.db
      .updateTable('room_users')
      .set({ group_ids: [id] })
      .where('id', '=', user.id)
      .execute()
    const answer = await exported()
    expect(answer.statusCode).toBe(200)
    expect(answer.headers['content-disposition']).toBe(`attachment; filename="person-${user.id}.json"`)
    const file = answer.json()
    expect(answer.body.split('\n').length).toBeGreaterThan(20)
    expect(file).toMatchObject({
      person: { id: user.id, username: user.username, is_erased: false },
      user: {
        user_id: user.user_id,
        reference: 'Second soprano',
        group_names: ['Soloists'],
        device_id: phone.device_id,
        device_model: 'Pixel 9',
      },
      sessions: [{ end_reason: 'signed_out' }, { ip: '127.0.0.1', ended_at: null }],
      phone_requests: [{ device_id: 'asking-device' }],
      sign_in_links: [{ expires_at: new Date(now + DAY).toISOString() }],
      names_in_zoom: [{ name: 'mina from zoom' }],
      erasures: [],
      stays: [{ username: user.username, left_at: expect.any(String) }, { left_at: null }],
    })
    expect(file.audit.map(({ action }: { action: string }) => action)).toEqual([
      ...[
        'user_created',
        'phone_login',
        'phone_login_refused',
        'user_mute',
        'phone_logout',
        'phone_login',
        'person_exported',
      ],
    ])
    expect(file.audit[3].before.users).toEqual([{ id: user.id, is_muted: false }])
    expect(file.audit[1]).toMatchObject({ by: 'this person', ip: '127.0.0.1' })
    expect(file.audit[0]).not.toHaveProperty('ip')
    const row = await server.deps.db
      .selectFrom('room_users')
      .selectAll()
      .where('id', '=', user.id)
      .executeTakeFirstOrThrow()
    const secrets = [row.password_hash, row.password_ciphertext, 'hash of', 'link of', 'correct horse', 'token']
    const others = [other.id, other.username, other.user_id, 'Bass', host.id, host.email, host.username]
    expect([...secrets, ...others].filter((text) => text && answer.body.includes(text))).toEqual([])
  })

  test('has all pages of stays and audit', async () => {
    const room_id = await roomId()
    const stays = Array.from({ length: 2_100 }, (_, at) => ({
      ...{ room_id, room_user_id: user.id, user_id: user.user_id, username: user.username },
      ...{ joined_at: new Date(now - 2 * DAY + (at % 700)), left_at: new Date(now - DAY) },
    }))
    for (let at = 0; at < stays.length; at += 700)
      await server.deps.db
        .insertInto('stays')
        .values(stays.slice(at, at + 700))
        .execute()
    for (let time = 0; time < 30; time++)
      for (const action of ['unmute', 'mute']) await act(`/host/users/bulk/${action}`, { userIds: [user.id, other.id] })
    const speeches = Array.from({ length: 1_001 }, (_, at) => ({
      ...{ room_id, room_user_id: user.id },
      ...{ began_at: new Date(now - DAY / 2 + at), ended_at: new Date(now) },
    }))
    await server.deps.db.insertInto('speeches').values(speeches).execute()
    const file = (await exported()).json()
    expect(file.stays).toHaveLength(2_102)
    expect(file.speeches).toHaveLength(1_002)
    expect(file.speeches.at(-1)).toEqual({
      began_at: new Date(now - DAY / 2 + 1_000).toISOString(),
      ended_at: new Date(now).toISOString(),
    })
    expect(file.audit).toHaveLength(67)
  })

  test('a manager gets one too; of another host, or for nobody, it is not found', async () => {
    expect((await exported(user.id, await buildAssistant(server, host, 'manager'))).statusCode).toBe(200)
    expect((await exported(user.id, await buildAssistant(server, host, 'moderator'))).statusCode).toBe(403)
    const stranger = await buildHost(server)
    expect((await exported(user.id, stranger)).statusCode).toBe(404)
    for (const id of ['x', crypto.randomUUID(), host.id]) expect((await exported(id)).statusCode).toBe(404)
  })

  test('is audited, limited to 20 a minute, and needs a confirmation', async () => {
    const statuses = await Promise.all(Array.from({ length: 22 }, async () => (await exported(other.id)).statusCode))
    expect(statuses.toSorted()).toEqual([...Array(20).fill(200), 429, 429])
    const { entries } = await readAudit(server, host, 'action=person_exported&limit=50', '/host/audit')
    expect(entries).toHaveLength(20)
    expect(entries[0]).toMatchObject({ actor: { id: host.id }, target: { id: other.id }, after: null })
    now += 16 * MINUTE
    expect((await exported()).json()).toMatchObject({ code: 'confirm_needed' })
  })

  test('of a deleted user it has what is left, and of an erased one only times', async () => {
    await act(`/host/users/${user.id}/delete`)
    expect((await exported()).json()).toMatchObject({ person: { username: user.username }, user: null, sessions: [] })
    await erase()
    const answer = await exported()
    expect(answer.json()).toMatchObject({ person: { username: 'erased', is_erased: true }, stays: [{}, {}] })
    expect(namesOf().filter((name) => answer.body.includes(name))).toEqual([])
  })
})
