import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { chmodSync, existsSync, statSync, writeFileSync } from 'node:fs'
import { mkdir, rename } from 'node:fs/promises'
import { connect } from 'node:net'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { callServer } from '../../server/commands/control-socket.ts'
import { startPostgres } from '../servers/postgres.ts'
import {
  dataFolder,
  emptyDataFolder,
  http,
  MASTER,
  type ServerProcess,
  SHORT_LIVED_FLAGS,
  signInMaster,
  startServerProcess,
} from '../servers/server-process.ts'

const KEY = randomBytes(32).toString('base64url')
const TIME = String.raw`\d{4}-\d\d-\d\d \d\d:\d\d UTC`
const LINK = /^http:\/\/master\.localhost:3000\/link#([\w-]{43})$/

/** Runs a program without root's right to any file. */
const WITHOUT_RIGHTS =
  process.getuid?.() === 0
    ? ['setpriv', ...['bounding-set', 'inh-caps'].map((set) => `--${set}=-dac_override,-dac_read_search`)]
    : []

/** Runs the command as npm does, with nothing but these settings. */
const run = (env: Record<string, string>, ...args: string[]) => runBy([], env, ...args)

async function runBy(prefix: string[], env: Record<string, string>, ...args: string[]) {
  const [program = '', ...before] = [...prefix, process.execPath, ...SHORT_LIVED_FLAGS]
  const { PATH = '', NODE_COMPILE_CACHE = '' } = process.env
  const child = spawn(program, [...before, 'server/commands/master.ts', ...args], {
    env: { PATH, NODE_COMPILE_CACHE, PUBLIC_URL: 'http://localhost:3000', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const [out, err, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')])
  return { code, lines: out.split('\n').slice(0, -1), err }
}

const running: ServerProcess[] = []
async function start(env: Record<string, string>): Promise<ServerProcess> {
  const server = await startServerProcess({ PUBLIC_URL: 'http://localhost:3000', ...env })
  running.push(server)
  return server
}
afterEach(async () => {
  await Promise.all(running.splice(0).map((server) => server.kill('SIGKILL')))
})

const verify = (server: ServerProcess, token: string) => http(server, 'POST', '/auth/verify', { token })

describe.each(['the embedded database', 'PostgreSQL'])('on %s', (engine) => {
  let env: Record<string, string>
  beforeAll(async () => {
    const { path, remove } = await emptyDataFolder()
    if (engine === 'PostgreSQL') {
      const postgres = await startPostgres()
      env = { DATA_DIR: path, DATABASE_URL: postgres.urlOf('postgres'), SECRET_KEY: KEY, ZOOM_DEMO: 'true' }
      return () => Promise.all([remove(), postgres.stop()])
    }
    env = { DATA_DIR: join(path, 'x'.repeat(120), 'data') } // longer than the path of a socket may be
    await mkdir(dirname(env.DATA_DIR ?? ''), { recursive: true })
    const template = await dataFolder()
    await rename(template.path, env.DATA_DIR ?? '')
    return remove
  })

  test('masters are listed, reset, invited and removed while the server runs', async () => {
    const server = await start(env)
    const token = await signInMaster(server)
    expect(await run(env, 'list')).toEqual({
      code: 0,
      lines: [expect.stringMatching(new RegExp(`^${MASTER.email}, no name, no second factor, last active ${TIME}$`))],
      err: '',
    })

    const reset = await run(env, 'reset', MASTER.email.toUpperCase(), '--remove-second-factor')
    expect(reset).toMatchObject({ code: 0, err: '' })
    expect(reset.lines).toEqual([
      expect.stringMatching(new RegExp(`^Reset link for ${MASTER.email}, valid until ${TIME}:$`)),
      expect.stringMatching(LINK),
    ])
    // Embedded at once, with PostgreSQL by the job that looks each second.
    await expect.poll(() => verify(server, token)).toMatchObject({ status: 401, body: { reason: 'reset' } })
    const [, resetToken] = reset.lines[1]?.match(LINK) ?? []
    const look = await http(server, 'POST', '/auth/links/look', { body: { token: resetToken } })
    expect(look.body.data).toMatchObject({
      purpose: 'master_reset',
      account: MASTER.email,
      removes_second_factor: true,
    })

    const invited = await run(env, 'invite', 'ana@parley.example')
    expect(invited.lines[0]).toMatch(new RegExp(`^Invitation for ana@parley\\.example, valid until ${TIME}:$`))
    const [, invitation] = invited.lines[1]?.match(LINK) ?? []
    const password = 'seven green kettles'
    expect((await http(server, 'POST', '/auth/links/use', { body: { token: invitation, password } })).status).toBe(200)
    const ana = await http(server, 'POST', '/auth/master-login', { body: { email: 'ana@parley.example', password } })
    expect(await run(env, 'invite', 'ana@parley.example')).toEqual({
      code: 1,
      lines: [],
      err: 'Not invited: a master has this email already\n',
    })

    expect(await run(env, 'remove', 'ana@parley.example')).toEqual({
      code: 0,
      lines: ['Removed ana@parley.example.'],
      err: '',
    })
    await expect.poll(() => verify(server, ana.body.token)).toMatchObject({ status: 401, body: { reason: 'removed' } })
    const { entries } = (
      await http(server, 'GET', '/admin/audit?actor=system&limit=10', { token: await signInMaster(server) })
    ).body.data
    expect(entries).toMatchObject([
      { action: 'master_removed', after: { command: 'master remove' } },
      { action: 'master_invited', after: { command: 'master invite', email: 'ana@parley.example' } },
      { action: 'reset_link_made', after: { command: 'master reset', removes_second_factor: true } },
    ])
  })

  test('and while it is stopped', async () => {
    const refused = { code: 1, lines: [] }
    expect(await run(env, 'remove', MASTER.email)).toMatchObject({
      ...refused,
      err: expect.stringContaining(`Not removed: ${MASTER.email} is the last master.\n`),
    })
    expect(await run(env, 'reset', 'nobody@parley.example')).toMatchObject({
      ...refused,
      err: expect.stringContaining('There is no master nobody@parley.example.\n'),
    })
    expect((await run(env, 'remove', 'nobody@parley.example')).err).toContain(
      'There is no master nobody@parley.example.\n',
    )
    const reset = await run(env, 'reset', MASTER.email)
    expect(reset).toMatchObject({ code: 0, err: '' })
    const [, token] = reset.lines[1]?.match(LINK) ?? []

    const server = await start(env)
    const password = 'nine blue teapots'
    expect((await http(server, 'POST', '/auth/links/use', { body: { token, password } })).status).toBe(200)
    const login = await http(server, 'POST', '/auth/master-login', { body: { email: MASTER.email, password } })
    expect(login.status).toBe(200)
  })
})

test.each([
  [],
  ['paint'],
  ['list', MASTER.email],
  ['invite'],
  ['invite', 'ana'],
  ['reset', MASTER.email, 'more'],
  ['remove', MASTER.email, '--remove-second-factor'],
  ['reset', MASTER.email, '--password=x'],
])('%s %s %s is refused with how to use it', async (...args: string[]) => {
  const { path, remove } = await emptyDataFolder()
  expect(await run({ DATA_DIR: path }, ...args.filter((arg) => arg !== undefined))).toEqual({
    code: 2,
    lines: [],
    err: expect.stringMatching(/^Use: npm run master -- list [^\n]*\n$/),
  })
  await remove()
})

test('bad settings exit with 2', async () => {
  const { path, remove } = await emptyDataFolder()
  expect(await run({ DATA_DIR: path, PORT: 'x' }, 'list')).toMatchObject({
    code: 2,
    err: expect.stringMatching(/^PORT is/),
  })
  await remove()
})

test('a folder without a database stays without one', async () => {
  const { path, remove } = await emptyDataFolder()
  expect(await run({ DATA_DIR: path }, 'list')).toEqual({
    code: 1,
    lines: [],
    err: `There is no database in ${path} yet. Start the server once, then repeat this.\n`,
  })
  expect(existsSync(join(path, 'pglite'))).toBe(false)
  await remove()
})

test.each([
  'postgres://parley@127.0.0.1:1/parley',
  'postgres://parley@localhost/parley?host=/nowhere',
  'postgres://parley@nowhere.invalid/parley',
])('a PostgreSQL that cannot be reached at %s is one line', async (DATABASE_URL) => {
  const { path, remove } = await emptyDataFolder()
  const env = {
    DATA_DIR: path,
    DATABASE_URL,
    SECRET_KEY: KEY,
    ZOOM_DEMO: 'true',
  }
  expect(await run(env, 'list')).toMatchObject({
    code: 1,
    err: expect.stringMatching(/^The database at DATABASE_URL cannot be used: [^\n]*\n$/),
  })
  await remove()
})

describe('the socket', () => {
  test('is open to its own user alone, replaces one that was left, and goes with the server', async () => {
    const { path, remove } = await dataFolder()
    const socket = join(path, 'control.sock')
    const killed = await start({ DATA_DIR: path })
    await killed.kill('SIGKILL')
    expect(existsSync(socket)).toBe(true)
    expect((await run({ DATA_DIR: path }, 'list')).code).toBe(0) // nobody answers there
    const server = await start({ DATA_DIR: path })
    expect(statSync(socket).mode & 0o777).toBe(0o600)
    expect((await run({ DATA_DIR: path }, 'list')).code).toBe(0)
    await server.kill('SIGTERM')
    expect(existsSync(socket)).toBe(false)
    writeFileSync(socket, 'not a socket')
    await start({ DATA_DIR: path })
    expect((await run({ DATA_DIR: path }, 'list')).code).toBe(0)
    await Promise.all(running.splice(0).map((one) => one.kill('SIGKILL')))
    await remove()
  })

  test('of another user, and a folder of another user, are named', async () => {
    const { path, remove } = await dataFolder()
    await start({ DATA_DIR: path })
    const list = () => runBy(WITHOUT_RIGHTS, { DATA_DIR: path }, 'list')
    const refused = (file: string) => ({
      code: 1,
      lines: [],
      err: `Only the user of the server may use ${file} (EACCES). Run this as that user.\n`,
    })
    expect((await list()).code).toBe(0)
    chmodSync(join(path, 'control.sock'), 0)
    expect(await list()).toEqual(refused(join(path, 'control.sock')))
    chmodSync(path, 0)
    expect(await list()).toEqual(refused(path))
    chmodSync(path, 0o700)
    await Promise.all(running.splice(0).map((one) => one.kill('SIGKILL')))
    await remove()
  })

  test('of a server that hangs is left in the end', async () => {
    const { path, remove } = await dataFolder()
    const server = await start({ DATA_DIR: path })
    server.child.kill('SIGSTOP')
    const call = { command: 'master', args: { action: 'list' } }
    expect(await callServer(path, call, 100)).toEqual({
      refusal: 'The server did not answer within 0.1 s, and may still do this. See its log.',
    })
    await Promise.all(running.splice(0).map((one) => one.kill('SIGKILL')))
    await remove()
  })

  test('survives what is no command', async () => {
    const { path, remove } = await dataFolder()
    await start({ DATA_DIR: path })
    for (const call of [
      '',
      'x',
      '{}',
      JSON.stringify({ command: 'master', args: { action: 'paint' } }),
      '['.repeat(70_000),
    ]) {
      const client = connect(join(path, 'control.sock'))
      client.on('error', () => {}) // the server ends the connection
      client.end(call)
      expect(await text(client).catch(() => '')).toBe('')
    }
    for (const command of ['paint', 'constructor', 'toString', '__proto__']) {
      const unknown = connect(join(path, 'control.sock'))
      unknown.end(JSON.stringify({ command, args: null }))
      expect(JSON.parse(await text(unknown))).toEqual({
        refusal: `The server that runs does not know the command "${command}". Restart it.`,
      })
    }
    expect((await run({ DATA_DIR: path }, 'list')).code).toBe(0)
    await Promise.all(running.splice(0).map((one) => one.kill('SIGKILL')))
    await remove()
  })
})
