import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { stopChild } from './child.ts'
import { findFreePorts } from './free-ports.ts'
import { postgresProgram, postgresUser } from './system-postgres.ts'

// Runs the services that a demo's nodes share: PostgreSQL, Redis, and a folder for their data, removed at the end. It
// is a separate process, so that nothing survives a killed demo. The argument is the first port to try.

const folder = mkdtempSync(join(tmpdir(), 'parley-demo-'))
const started: ChildProcess[] = []
let isStopping = false

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => void stop(0))
process.on('disconnect', () => void stop(0))

try {
  chmodSync(folder, 0o711) // PostgreSQL's own user must be able to traverse it
  const [one = 0, two = 0] = await findFreePorts(2, Number(process.argv[2]))
  const [database_url, redis_url] = await Promise.all([startPostgres(one), startRedis(two)])
  const data_dir = join(folder, 'data')
  mkdirSync(data_dir, { mode: 0o700 })
  process.send?.({ type: 'ready', database_url, redis_url, data_dir })
} catch (error) {
  if (!isStopping) process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  await stop(1)
}

/** Skips durability, since the folder is removed at the end. */
async function startPostgres(port: number): Promise<string> {
  const home = join(folder, 'postgresql')
  const data = join(home, 'data')
  const user = postgresUser()
  const options = { cwd: home, ...user }
  mkdirSync(home, { mode: 0o700 })
  if (user) chownSync(home, user.uid, user.gid)
  const cluster = ['-D', data, '-U', 'parley', '--auth=trust', '-E', 'UTF8', '--no-locale', '--no-sync']
  execFileSync(postgresProgram('initdb'), cluster, { ...options, stdio: 'pipe' })
  const settings = { port, listen_addresses: '127.0.0.1', unix_socket_directories: home, fsync: 'off' }
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  await start(postgresProgram('postgres'), ['-D', data, ...flags], options)
  return `postgresql://parley@127.0.0.1:${port}/postgres`
}

async function startRedis(port: number): Promise<string> {
  const flags = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no']
  await start('redis-server', flags, { cwd: folder })
  return `redis://127.0.0.1:${port}`
}

/** Waits for the line that both programs print once they listen. */
async function start(program: string, args: string[], options: { cwd: string; uid?: number; gid?: number }) {
  const child = spawn(program, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] })
  const { promise: ready, resolve, reject } = Promise.withResolvers<void>()
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (text: Buffer) => {
      output = `${output}${text}`.slice(-2_000)
      if (/ready to accept connections/i.test(output)) resolve()
    })
  child.once('error', reject)
  child.once('spawn', () => started.push(child))
  child.once('exit', () => {
    if (!isStopping) process.stderr.write(`${program} has ended:\n${output}`)
    void stop(1)
  })
  await ready
}

async function stop(code: number): Promise<void> {
  if (isStopping) return
  isStopping = true
  for (const child of started.toReversed()) await stopChild(child, 'SIGINT', 5_000)
  rmSync(folder, { recursive: true, force: true, maxRetries: 20 })
  process.exit(code)
}
