import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, readdirSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { postgresProgram, postgresUser } from '../../demo/system-postgres.ts'
import { freePort } from './free-port.ts'

export interface TestPostgres {
  /** Returns the URL of a database on this server. */
  urlOf(database: string): string
  /** Runs a program of this PostgreSQL as its user. */
  run(program: string, args: string[]): string
  /** Crashes or restarts it on the same port. */
  restart(how: 'crash' | 'fast'): Promise<void>
  /** Freezes its processes: connections stay open without responses. */
  pause(): void
  resume(): void
  stop(): Promise<void>
}

/** A real PostgreSQL server on a free loopback port, in a temporary folder. */
export async function startPostgres(env: Record<string, string> = {}): Promise<TestPostgres> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-postgres-'))
  const owner = postgresUser()
  if (owner) chownSync(folder, owner.uid, owner.gid)
  const data = join(folder, 'data')
  const options = { cwd: folder, stdio: 'ignore' as const, ...owner }
  execFileSync(
    postgresProgram('initdb'),
    ['-D', data, '-U', 'parley', '--auth=trust', '-E', 'UTF8', '--no-sync'],
    options,
  )

  const port = await freePort()
  const settings = {
    port,
    listen_addresses: '127.0.0.1',
    unix_socket_directories: folder,
    fsync: 'off',
    max_connections: 200,
  }
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const urlOf = (database: string) => `postgresql://parley@127.0.0.1:${port}/${database}`
  const start = async () => {
    const started = spawn(postgresProgram('postgres'), ['-D', data, ...flags], {
      ...options,
      env: { ...process.env, ...env },
    })
    await answering(started, urlOf('postgres'))
    return started
  }
  let server = await start()
  const end = async (signal: NodeJS.Signals) => {
    const ended = once(server, 'exit')
    signalAll(signal === 'SIGKILL' ? workersOf(server) : [], signal)
    server.kill(signal)
    await ended
  }
  return {
    urlOf,
    run: (name, args) => execFileSync(postgresProgram(name), args, { ...options, stdio: 'pipe', encoding: 'utf8' }),
    async restart(how) {
      await end(how === 'crash' ? 'SIGKILL' : 'SIGINT')
      await rm(join(data, 'postmaster.pid'), { force: true }) // its process id may be visible for a moment
      server = await start()
    },
    pause: () => signalAll([server.pid ?? 0, ...workersOf(server)], 'SIGSTOP'),
    resume: () => signalAll([server.pid ?? 0, ...workersOf(server)], 'SIGCONT'),
    async stop() {
      await end('SIGQUIT')
      await rm(folder, { recursive: true, force: true })
    },
  }
}

function signalAll(pids: number[], signal: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, signal)
    } catch {} // it has ended by itself
  }
}

/** Returns the process ids of its children, read from /proc, since each has its own session. */
function workersOf({ pid }: ChildProcess): number[] {
  const processes = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  return processes.map(Number).filter((id) => parentOf(id) === pid)
}

function parentOf(pid: number): number | null {
  try {
    return Number(readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ')[1])
  } catch {
    return null // the process has ended
  }
}

async function answering(server: ChildProcess, url: string): Promise<void> {
  for (let attempt = 0; attempt < 2_400; attempt++) {
    if (server.exitCode !== null) throw new Error('PostgreSQL ended before it answered')
    const client = new pg.Client({ connectionString: url })
    try {
      await client.connect()
      await client.end()
      return
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 50)) // it does not report when it is ready
    }
  }
  throw new Error('PostgreSQL did not answer within 2 minutes')
}
