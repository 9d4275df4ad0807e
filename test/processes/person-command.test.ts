import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readdirSync, watch } from 'node:fs'
import { readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { startPostgres } from '../servers/postgres.ts'
import {
  dataFolder,
  emptyDataFolder,
  HOST,
  http,
  makeHost,
  type ServerProcess,
  SHORT_LIVED_FLAGS,
  startServerProcess,
} from '../servers/server-process.ts'

const PERSON = 'server/commands/person.ts'

/** Runs the command as npm does, with nothing but these settings. */
async function run(env: Record<string, string>, ...args: string[]) {
  const { PATH = '', NODE_COMPILE_CACHE = '' } = process.env
  const child = spawn(process.execPath, [...SHORT_LIVED_FLAGS, PERSON, ...args], {
    env: { PATH, NODE_COMPILE_CACHE, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const [out, err, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')])
  return { code, out, err }
}

/** Kills an export that writes its file, which is then not there, and does it once more. */
async function killExport(env: Record<string, string>, host: string, file: string): Promise<void> {
  const folder = env.DATA_DIR ?? ''
  const child = spawn(process.execPath, [...SHORT_LIVED_FLAGS, PERSON, 'export', host, 'U000002', file], {
    env: { PATH: process.env.PATH ?? '', ...env },
    stdio: 'ignore',
  })
  const watcher = watch(folder, (_event, name) => void (name?.includes('.killed') && child.kill('SIGKILL')))
  await once(child, 'exit')
  watcher.close()
  expect(child.signalCode).toBe('SIGKILL')
  await expect(stat(file)).rejects.toThrow('ENOENT')
  expect(await run(env, 'export', host, 'U000002', file)).toMatchObject({ code: 0, err: '' })
  expect(readdirSync(folder).filter((name) => name.includes('.killed'))).toEqual(['anita.json.killed'])
}

const running: ServerProcess[] = []
async function start(env: Record<string, string>): Promise<ServerProcess> {
  const server = await startServerProcess(env)
  running.push(server)
  return server
}
afterEach(async () => {
  await Promise.all(running.splice(0).map((server) => server.kill('SIGKILL')))
})

describe.each(['the embedded database', 'PostgreSQL'])('on %s', (engine) => {
  let env: Record<string, string>
  beforeAll(async () => {
    if (engine !== 'PostgreSQL') {
      const { path, remove } = await dataFolder()
      env = { DATA_DIR: path }
      return remove
    }
    const { path, remove } = await emptyDataFolder()
    const postgres = await startPostgres()
    const SECRET_KEY = randomBytes(32).toString('base64url')
    env = { DATA_DIR: path, DATABASE_URL: postgres.urlOf('postgres'), SECRET_KEY, ZOOM_DEMO: 'true' }
    return () => Promise.all([remove(), postgres.stop()])
  })

  test('a user is exported and erased beside a running server, and without one', async () => {
    const server = await start(env)
    const { token, user_id } = await makeHost(server, HOST)
    const users = ['anita', 'ravi'].map((username, n) => ({ username, user_id: `U00000${n + 1}`, password: 'a lamp' }))
    await http(server, 'POST', '/host/users/import', { token, body: { users } })
    const names = async () =>
      (await http(server, 'GET', '/host/users', { token })).body.data.users.map(
        ({ username }: { username: string }) => username,
      )
    expect(await names()).toEqual(['anita', 'ravi'])

    const file = join(env.DATA_DIR ?? '', 'anita.json')
    expect(await run(env, 'export', user_id, 'u000001', file)).toEqual({
      ...{ code: 0, err: '' },
      out: 'Exported anita: 0 stays, 1 audit row.\n',
    })
    expect(JSON.parse(await readFile(file, 'utf8'))).toMatchObject({ user: { username: 'anita' }, audit: [{}] })
    expect((await stat(file)).mode & 0o777).toBe(0o600)

    const would = { code: 1, out: '', err: 'Would erase anita: 0 stays, 2 audit rows.\n' }
    expect(await run(env, 'erase', user_id, 'U000001')).toEqual(would)
    expect(await names()).toEqual(['anita', 'ravi'])
    const erased = await run(env, 'erase', user_id, 'U000001', '--yes')
    expect(erased).toEqual({ code: 0, err: '', out: 'Erased anita: 0 stays, 2 audit rows.\n' })
    await expect.poll(names).toEqual(['ravi'])
    const none = { code: 1, out: '', err: `There is no user U000001 of host ${user_id}.\n` }
    expect(await run(env, 'erase', user_id, 'U000001', '--yes')).toEqual(none)

    await server.kill('SIGTERM')
    running.length = 0
    expect(await run(env, 'export', user_id, 'U000002', file)).toEqual({
      ...{ code: 1, out: '' },
      err: `Not exported: ${file} exists.\n`,
    })
    if (engine === 'PostgreSQL') await killExport(env, user_id, `${file}.killed`)
    expect((await run(env, 'export', user_id, 'U000009', `${file}.none`)).err).toBe(
      `There is no user U000009 of host ${user_id}.\n`,
    )
    await expect(stat(`${file}.none`)).rejects.toThrow('ENOENT')
    expect((await run(env, 'erase', 'H999999', 'U000002', '--yes')).err).toBe(
      'There is no user U000002 of host H999999.\n',
    )
    expect(await run(env, 'erase', user_id, 'U000002', '--yes')).toMatchObject({ code: 0 })
    const again = await start(env)
    const login = await http(again, 'POST', '/auth/host/login', {
      body: { username: HOST.username, password: HOST.password },
    })
    const audit = await http(again, 'GET', '/host/audit?actor=system&limit=10', { token: login.body.data.token })
    const acts = audit.body.data.entries.filter(({ action }: { action: string }) => action.startsWith('person_'))
    expect(acts.map(({ action, after }: { action: string; after: object | null }) => [action, after])).toEqual([
      ['person_erased', { stays: 0, audit_rows: engine === 'PostgreSQL' ? 2 : 1, command: 'person erase' }],
      ...(engine === 'PostgreSQL' ? [['person_exported', null]] : []),
      ['person_erased', { stays: 0, audit_rows: 2, command: 'person erase' }],
      ['person_exported', null],
    ])
  }, 240_000)
})

test('refuses what it does not know, before it opens anything', async () => {
  const folder = await emptyDataFolder()
  await writeFile(join(folder.path, 'a'), '')
  for (const args of [
    [],
    ['erase'],
    ['erase', 'H1', 'U1', 'file'],
    ['export', 'H1', 'U1'],
    ['export', 'H1', 'U1', 'f', '--yes'],
    ['erase', 'H1', 'U1', '--no'],
  ]) {
    const { code, out, err } = await run({ DATA_DIR: folder.path }, ...args)
    expect([code, out, err.split('\n')[0]]).toEqual([
      2,
      '',
      expect.stringMatching(/^Use: npm run person -- export HOST_ID/),
    ])
  }
  await folder.remove()
}, 60_000)
