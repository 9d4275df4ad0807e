import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, rename, writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterEach, expect, onTestFinished, test } from 'vitest'
import { CHECK_NAMES, type SystemCheck } from '../../shared/system.ts'
import { startPostgres } from '../servers/postgres.ts'
import { dataFolder, type ServerProcess, SHORT_LIVED_FLAGS, startServerProcess } from '../servers/server-process.ts'

const SECRET = 'not-to-be-printed-anywhere'

/** Runs the command as npm does, with nothing but these settings. */
async function run(env: Record<string, string>, ...args: string[]) {
  const { PATH = '', NODE_COMPILE_CACHE = '' } = process.env
  const child = spawn(process.execPath, [...SHORT_LIVED_FLAGS, 'server/commands/doctor.ts', ...args], {
    env: { PATH, NODE_COMPILE_CACHE, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: 15_000, // then it is killed, and has no exit code
  })
  const [out, err, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')])
  return { code, out, err }
}

async function check(env: Record<string, string>) {
  const { code, out } = await run(env, '--json')
  const answer: { checks: SystemCheck[]; ok: number; warnings: number; problems: number } = JSON.parse(out)
  const found = (name: string) => answer.checks.find((one) => one.name === name)
  return { code, out, answer, found }
}

async function folder(): Promise<string> {
  const { path, remove } = await dataFolder()
  onTestFinished(remove)
  return path
}

const running: ServerProcess[] = []
afterEach(async () => {
  await Promise.all(running.splice(0).map((server) => server.kill('SIGKILL')))
})

test('a stopped installation is checked from here, and a key that others may read is a problem', async () => {
  const DATA_DIR = await folder()
  const whole = await run({ DATA_DIR })
  expect(whole).toMatchObject({ code: 0, err: '' })
  const lines = whole.out.split('\n').slice(0, -1)
  expect(lines.map((line) => line.split(/\s+/)[1])).toEqual([...CHECK_NAMES, expect.any(String)])
  expect(whole.out).toMatch(/^note {5}names {8}not asked: no server runs$/m)
  expect(whole.out).toMatch(/^ok {7}migrations {3}All \d+ migrations\.$/m)
  expect(lines.at(-1)).toMatch(/^Doctor: \d+ ok, \d+ warnings?, 0 problems\.$/)

  await writeFile(join(DATA_DIR, 'secret.key'), `${SECRET}-0123456789`, { mode: 0o644 })
  const { code, out, answer, found } = await check({ DATA_DIR })
  expect(code).toBe(1)
  expect(found('key')).toMatchObject({ status: 'problem', advice: `chmod 600 ${DATA_DIR}/secret.key` })
  expect(answer.problems).toBe(1)
  expect(out).not.toContain(SECRET)

  await chmod(join(DATA_DIR, 'secret.key'), 0o600)
  await rename(join(DATA_DIR, 'pglite'), join(DATA_DIR, 'elsewhere'))
  expect((await check({ DATA_DIR })).found('database')?.message).toMatch(/^There is no database in /)
}, 120_000)

test('a server that runs checks itself, with its own settings', async () => {
  const DATA_DIR = await folder()
  await chmod(DATA_DIR, 0o755)
  const server = await startServerProcess({ DATA_DIR, CONFIRM_MINUTES: '5' })
  running.push(server)
  const { code, found } = await check({ DATA_DIR, PUBLIC_URL: 'http://wrong.invalid' })
  expect(found('names')).toMatchObject({ status: 'ok', message: '5 names answer, and a foreign one is refused.' })
  expect(found('data-dir')).toMatchObject({ status: 'warn', advice: `chmod 700 ${DATA_DIR}` })
  expect(found('mail')).toMatchObject({ status: 'note' })
  expect(code).toBe(0) // a warning is no problem

  server.child.kill('SIGSTOP')
  const hung = await check({ DATA_DIR })
  expect(hung.code).toBe(1)
  expect(hung.found('database')?.message).toMatch(/^The server did not answer within 7 s/)
  expect(hung.found('disk')).toBeDefined()
}, 120_000)

test('settings and flags that cannot be read end it with 2', async () => {
  expect(await run({ PORT: 'none' })).toMatchObject({ code: 2, out: '', err: expect.stringMatching(/^PORT is "none"/) })
  expect(await run({}, '--loud')).toMatchObject({ code: 2, out: '', err: expect.stringMatching(/^Use: /) })
})

test('whatever hangs, all checks end within 15 s, and print no secret', async () => {
  const silent = createServer((socket) => socket.on('error', () => {})).listen(0, '127.0.0.1')
  onTestFinished(() => void silent.close())
  await once(silent, 'listening')
  const { port } = silent.address() as AddressInfo
  const { code, out, found } = await check({
    DATA_DIR: await folder(),
    DATABASE_URL: `postgresql://the-user:${SECRET}@127.0.0.1:${port}/parley`,
    REDIS_URL: `redis://:${SECRET}@127.0.0.1:${port}`,
    SECRET_KEY: `${SECRET}-0123456789`,
    PUBLIC_URL: `https://localhost:${port}`,
    ZOOM_CLIENT_ID: 'an-app',
    ZOOM_CLIENT_SECRET: SECRET,
    ZOOM_WEBHOOK_SECRET: SECRET,
    ZOOM_OAUTH_URL: `http://127.0.0.1:${port}`,
    ZOOM_SDK_URL: `http://127.0.0.1:${port}`,
  })
  expect(code).toBe(1)
  for (const name of ['database', 'migrations', 'redis', 'certificate', 'zoom-app', 'zoom-hosts', 'sdk'])
    expect(found(name)).toMatchObject({ name, status: 'problem' })
  expect(out).not.toContain(SECRET)
  expect(out).not.toContain('the-user')
}, 60_000)

test('a refused sign-in at PostgreSQL names no user, and an empty database has migrations to run', async () => {
  const postgres = await startPostgres()
  onTestFinished(() => postgres.stop())
  const url = new URL(postgres.urlOf('postgres'))
  const env = { DATA_DIR: await folder(), SECRET_KEY: `${SECRET}-0123456789`, ZOOM_DEMO: 'true' }
  const empty = await check({ ...env, DATABASE_URL: url.href })
  expect(empty.code).toBe(1)
  expect(empty.found('database')).toMatchObject({ status: 'ok', message: expect.stringMatching(/^PostgreSQL \d/) })
  expect(empty.found('migrations')).toMatchObject({ status: 'problem', advice: 'Start the server once.' })
  expect(empty.found('clock')).toMatchObject({ status: 'ok' })

  url.username = 'nobody-of-this-name'
  const refused = await check({ ...env, DATABASE_URL: url.href })
  expect(refused.found('database')?.status).toBe('problem')
  expect(refused.out).not.toContain('nobody-of-this-name')
}, 120_000)
