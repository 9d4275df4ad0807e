import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { connect, createServer, type Socket } from 'node:net'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventually } from '../eventually.ts'
import { freePort } from '../servers/free-port.ts'
import { startPostgres, type TestPostgres } from '../servers/postgres.ts'
import {
  type DataFolder,
  dataFolder,
  HOST,
  http,
  makeHost,
  PROGRAM_WITHOUT_LOCK,
  runServerToItsEnd,
  type ServerProcess,
  signInMaster,
  startServerProcess,
} from '../servers/server-process.ts'

let postgres: TestPostgres
let folder: DataFolder
let server: ServerProcess
let token: string

const envFor = (database: string) => ({
  DATABASE_URL: postgres.urlOf(database),
  DATA_DIR: folder.path,
  SECRET_KEY: 'a secret key for tests alone, 32 bytes or more',
  ZOOM_CLIENT_ID: 'client',
  ZOOM_CLIENT_SECRET: 'secret',
})

beforeAll(async () => {
  postgres = await startPostgres()
  folder = await dataFolder()
  server = await startServerProcess(envFor('postgres'))
  token = (await makeHost(server)).token
})
afterAll(async () => {
  await server?.kill('SIGKILL')
  await postgres?.stop()
  await folder?.remove()
})

/** Sends a poll, a write and a read that needs the database in turn, until it is stopped. */
function keepAsking(lanes: number) {
  const statuses: number[] = []
  const acknowledged: string[] = []
  let isOver = false
  const asking = Array.from({ length: lanes }, async (_, lane) => {
    for (let index = 0; !isOver; index++) {
      const username = `user-${lane}-${index}-${randomUUID()}`.slice(0, 32)
      const answer = await [
        () => http(server, 'GET', '/host/online-users', { token }),
        () => http(server, 'POST', '/host/users', { token, body: { username, user_id: username, password: 'lamp' } }),
        () => http(server, 'GET', '/host/app-info', { token }),
      ][index % 3]?.()
      if (!answer) continue
      statuses.push(answer.status)
      if (answer.status === 200 && index % 3 === 1) acknowledged.push(username)
    }
  })
  return {
    statuses,
    async end() {
      isOver = true
      await Promise.all(asking)
      return acknowledged
    },
  }
}

async function names(): Promise<string[]> {
  const { body } = await http(server, 'GET', '/host/users', { token })
  return body.data.users.map((user: { username: string }) => user.username)
}

/** A proxy between a server and its database, on this port. */
function inBetween(port: number, database: string) {
  const open = new Set<Socket>()
  const url = new URL(postgres.urlOf(database))
  const target = { port: Number(url.port), host: url.hostname }
  url.port = String(port)
  const between = createServer((near) => {
    const far = connect(target)
    near.pipe(far).pipe(near)
    for (const socket of [near, far]) open.add(socket.on('error', () => {}))
  })
  return { between, open, url }
}

const until = async (isTrue: () => boolean) => {
  while (!isTrue()) await new Promise((resolve) => setImmediate(resolve))
}

test('passwords are stored as argon2id, at the cost that OWASP recommends', async () => {
  const client = new pg.Client({ connectionString: postgres.urlOf('postgres') })
  await client.connect()
  const { rows } = await client.query('select password_hash from masters union all select password_hash from hosts')
  await client.end()
  expect(rows).toHaveLength(2)
  for (const { password_hash } of rows) expect(password_hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
})

test.each(['fast', 'crash'] as const)(
  'a %s restart of PostgreSQL causes a few 503, signs no one out and loses nothing acknowledged',
  async (how) => {
    const work = keepAsking(6)
    await until(() => work.statuses.length > 60)
    await postgres.restart(how)
    const before = work.statuses.length
    await until(() => work.statuses.slice(before).filter((status) => status === 200).length > 60)
    const acknowledged = await work.end()
    expect(new Set(work.statuses)).toEqual(new Set([200, 503]))
    expect(server.child.exitCode).toBeNull()

    expect(acknowledged.length).toBeGreaterThan(10)
    const stored = await names()
    expect(stored).toEqual(expect.arrayContaining(acknowledged))
    expect(new Set(stored).size).toBe(stored.length)
    postgres.run('pg_amcheck', ['--install-missing', '--heapallindexed', postgres.urlOf('postgres')])
  },
)

test('while PostgreSQL does not answer, writes are 503 and polls continue; then it recovers', async () => {
  postgres.pause()
  try {
    const asked = await Promise.all(
      Array.from({ length: 30 }, async (_, index) => {
        const body = { username: `frozen-${index}`, user_id: `frozen-${index}`, password: 'lamp' }
        return (await http(server, 'POST', '/host/users', { token, body })).status
      }),
    )
    expect(new Set(asked)).toEqual(new Set([503]))
    expect((await http(server, 'GET', '/host/online-users', { token })).status).toBe(200)
  } finally {
    postgres.resume()
  }
  await eventually(async () => expect((await http(server, 'GET', '/host/app-info', { token })).status).toBe(200))
})

test('replaces connections that stop answering', async () => {
  const { between, open, url } = inBetween(await freePort(), 'postgres')
  between.listen(Number(url.port), '127.0.0.1')
  await once(between, 'listening')
  const other = await startServerProcess({ ...envFor('postgres'), DATABASE_URL: url.href }, [], PROGRAM_WITHOUT_LOCK)
  const write = (n: number) => http(other, 'PUT', '/host/app-info', { token, body: { user_title: `Title ${n}` } })
  expect((await write(0)).status).toBe(200)
  for (const socket of open) socket.unpipe().pause()
  expect((await write(1)).status).toBe(503)
  await eventually(async () => expect((await write(2)).status).toBe(200)) // each dead connection fails once
  expect(other.child.exitCode).toBeNull()
  await other.kill('SIGKILL')
  for (const socket of open) socket.destroy()
  between.close()
})

test('a server started before its PostgreSQL is alive but not ready, and becomes ready by itself', async () => {
  postgres.run('createdb', [`--maintenance-db=${postgres.urlOf('postgres')}`, 'late'])
  const [port, { between, open, url }] = [await freePort(), inBetween(await freePort(), 'late')]
  const starting = startServerProcess({ ...envFor('late'), PORT: String(port), DATABASE_URL: url.href })
  const get = (path: string) => fetch(`http://127.0.0.1:${port}${path}`)
  await expect.poll(async () => (await get('/healthz').catch(() => null))?.status).toBe(200)
  const refused = await get('/readyz')
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '2'])
  expect(await http({ port }, 'GET', '/host/users', { token })).toMatchObject({
    status: 503,
    body: { code: 'not_ready' },
  })
  expect((await get('/host/login')).status).toBe(503)

  between.listen(Number(url.port), '127.0.0.1')
  const other = await starting
  expect(other.output()).toMatch(/^The database at DATABASE_URL does not answer\. Waiting for it: .*ECONNREFUSED/)
  expect((await get('/readyz')).status).toBe(200)
  expect((await http(other, 'GET', '/admin/hosts', { token: await signInMaster(other) })).status).toBe(200)
  await other.kill('SIGKILL')
  for (const socket of open) socket.destroy()
  between.close()
})

test('does not wait for a database that PostgreSQL does not have', async () => {
  const { code, output } = await runServerToItsEnd({ ...envFor('nowhere'), PORT: String(await freePort()) })
  expect(code).toBe(1)
  expect(output.trim()).toMatch(/^The database at DATABASE_URL cannot be used: .*database "nowhere" does not exist$/)
})

test('never repeats a call whose process was killed after its effect and before its answer was stored', async () => {
  const db = new pg.Client({ connectionString: postgres.urlOf('postgres') })
  await db.connect()
  await db.query(`
    create function hold() returns trigger language plpgsql as 'begin perform pg_advisory_xact_lock(1); return new; end';
    create trigger hold before update on idempotency_keys for each row when (new.status is not null) execute function hold();
    select pg_advisory_lock(1);
  `)
  const master = await signInMaster(server)
  const { id } = (await http(server, 'GET', '/admin/hosts', { token: master })).body.data.hosts[0]
  const extend = () =>
    fetch(`http://127.0.0.1:${server.port}/api/admin/hosts/${id}/extend-subscription`, {
      method: 'POST',
      headers: { authorization: `Bearer ${master}`, 'content-type': 'application/json', 'idempotency-key': 'one' },
      body: JSON.stringify({ additional_months: 3 }),
    })
  const first = extend().catch(() => null)
  const held = `pg_stat_activity where wait_event_type = 'Lock' and wait_event = 'advisory' and query like '%idempotency%'`
  await eventually(async () => expect((await db.query(`select 1 from ${held}`)).rowCount).toBe(1))
  await server.kill('SIGKILL')
  expect(await first).toBeNull()
  await db.query(`select pg_terminate_backend(pid) from ${held}`)
  await db.query(`drop trigger hold on idempotency_keys; drop function hold; select pg_advisory_unlock(1)`)
  await db.query(`update idempotency_keys set created_at = now() - interval '1 hour'`) // as if interrupted an hour ago

  server = await startServerProcess(envFor('postgres'))
  const again = await extend()
  expect(again.status).toBe(409)
  expect(await again.json()).toMatchObject({
    code: 'conflict',
    message: expect.stringContaining('may have succeeded'),
  })
  const { rowCount } = await db.query(`select 1 from subscription_changes where action = 'extended'`)
  expect(rowCount).toBe(1)
  await db.end()
})

test('a second server on one database is refused in one line, and the first continues', async () => {
  const { code, output } = await runServerToItsEnd({ ...envFor('postgres'), PORT: String(await freePort()) })
  expect({ code, output: output.trim() }).toEqual({
    code: 1,
    output: 'Another server uses the database at DATABASE_URL. Stop it first, or give all servers the same REDIS_URL.',
  })
  expect((await http(server, 'GET', '/host/app-info', { token })).status).toBe(200)
})

/** The command of docs/deploy.md that follows `pg_restore`. */
function commandAfterRestore(): string {
  const guide = readFileSync(new URL('../../docs/deploy.md', import.meta.url), 'utf8')
  return guide.match(/psql --dbname="\$DATABASE_URL" --command="([^"]+)"/)?.[1] ?? ''
}

test('a server starts with complete data from a dump that was taken under load', async () => {
  const body = { username: 'invited', user_id: 'invited', password: 'lamp' }
  const { id } = (await http(server, 'POST', '/host/users', { token, body })).body.data.user
  const { url } = (await http(server, 'POST', `/host/users/${id}/sign-in-link`, { token })).body.data
  const work = keepAsking(4)
  await until(() => work.statuses.length > 30)
  postgres.run('pg_dump', ['--format=custom', '--file=parley.dump', `--dbname=${postgres.urlOf('postgres')}`])
  const later = await work.end()
  postgres.run('createdb', [`--maintenance-db=${postgres.urlOf('postgres')}`, 'restored'])
  postgres.run('pg_restore', [`--dbname=${postgres.urlOf('restored')}`, '--exit-on-error', 'parley.dump'])
  postgres.run('psql', [
    `--dbname=${postgres.urlOf('restored')}`,
    '--set=ON_ERROR_STOP=1',
    '--command',
    commandAfterRestore(),
  ])

  const original = await names()
  await server.kill('SIGTERM')
  server = await startServerProcess(envFor('restored'))
  expect((await http(server, 'GET', '/host/details', { token })).status).toBe(401)
  const [, host_id, link_token] = url.match(/host=(\w+)#link=(.+)/)
  const phone = { host_id, link_token, device_id: 'a phone', platform: 'web' }
  expect((await http(server, 'POST', '/mobile/link-login', { body: phone })).body.code).toBe('link_invalid')
  token = (await http(server, 'POST', '/auth/host/login', { body: HOST })).body.data.token
  const restored = await names()
  expect(restored).toEqual(original.filter((name) => restored.includes(name)))
  expect(original.filter((name) => !restored.includes(name) && !later.includes(name))).toEqual([])
  expect(restored.length).toBeGreaterThan(30)
})
