import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { z } from 'zod'
import type { Host } from '../../shared/hosts.ts'
import { freePort } from './free-port.ts'

const Ready = z.object({
  type: z.literal('ready'),
  public_url: z.string(),
  master_url: z.string(),
  host_url: z.string(),
  phone_url: z.string(),
  emulator_origin: z.string().nullable(),
})

export interface ServerProcess extends z.infer<typeof Ready> {
  port: number
  child: ChildProcess
  /** Returns its output so far. */
  output(): string
  /** Sends a signal and waits until the process has exited. */
  kill(signal: NodeJS.Signals): Promise<void>
}

export const MASTER = { email: 'master@parley.example', password: 'the-master-password' }

/** The variable with the folder that this run copies. */
export const TEMPLATE_VARIABLE = 'PARLEY_TEST_DATA_TEMPLATE'

export interface DataFolder {
  path: string
  remove(): Promise<void>
}

/** Creates a folder as before a first start. */
export async function emptyDataFolder(): Promise<DataFolder> {
  const path = await mkdtemp(join(tmpdir(), 'parley-data-'))
  return { path, remove: () => rm(path, { recursive: true, force: true, maxRetries: 20 }) }
}

/** Copies a migrated database if the run has one, which saves half of a first start. */
export async function dataFolder(): Promise<DataFolder> {
  const folder = await emptyDataFolder()
  const template = process.env[TEMPLATE_VARIABLE]
  if (template !== undefined) await cp(template, folder.path, { recursive: true })
  return folder
}

export const PROGRAM = new URL('../../server/main.ts', import.meta.url)
/** V8 flags for a process that lives for seconds: the database's WebAssembly compiles twice as fast, and runs half as fast. */
export const SHORT_LIVED_FLAGS = ['--liftoff-only']
/** Starts servers that share a database, which the program itself refuses. */
export const PROGRAM_WITHOUT_LOCK = new URL('server-without-lock.ts', import.meta.url)

/** Starts the real server as a process, with the embedded Zoom emulator unless the environment names another. */
export async function startServerProcess(
  env: Record<string, string>,
  args: string[] = [],
  program = PROGRAM,
  execArgv = SHORT_LIVED_FLAGS,
  stdout: number | 'pipe' = 'pipe',
): Promise<ServerProcess> {
  const port = env.PORT ? Number(env.PORT) : await freePort()
  const child = forkServer({ PORT: String(port), ZOOM_EMULATOR_PORT: '0', ...env }, args, program, execArgv, stdout)
  const output = collect(child)
  const ready = await Promise.race([
    once(child, 'message').then(([message]) => Ready.parse(message)),
    once(child, 'exit').then(() => Promise.reject(new Error(`The server did not start: ${output.text}`))),
  ])
  return {
    ...ready,
    port,
    child,
    output: () => output.text,
    async kill(signal) {
      if (child.exitCode !== null || child.signalCode !== null) return
      const gone = once(child, 'exit')
      child.kill(signal)
      await gone
    },
  }
}

/** Starts a server that should exit; returns its exit code and output. */
export async function runServerToItsEnd(
  env: Record<string, string>,
  args: string[] = [],
): Promise<{ code: number; output: string }> {
  const child = forkServer(env, args)
  const output = collect(child)
  const [code] = await once(child, 'close')
  return { code, output: output.text }
}

export function forkServer(
  env: Record<string, string>,
  args: string[] = [],
  program = PROGRAM,
  execArgv = SHORT_LIVED_FLAGS,
  stdout: number | 'pipe' = 'pipe',
): ChildProcess {
  return fork(program, args, {
    env: {
      PATH: process.env.PATH ?? '',
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? '',
      LOG_LEVEL: 'warn',
      STOP_SECONDS: '200', // the last snapshot can take long on a busy machine
      ...clockEnv(),
      MASTER_EMAIL: MASTER.email,
      MASTER_PASSWORD: MASTER.password,
      ...env,
    },
    execArgv,
    stdio: ['ignore', stdout, 'pipe', 'ipc'],
  })
}

/** The environment that passes this process's shifted clock and time zone to a child. */
function clockEnv(): Record<string, string> {
  const names = ['TZ', 'LD_PRELOAD', 'CLOCK_SHIFT_SECONDS']
  return Object.fromEntries(names.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])))
}

function collect(child: ChildProcess): { text: string } {
  const output = { text: '' }
  const add = (chunk: Buffer) => {
    output.text = (output.text + chunk.toString()).slice(-1_000_000)
  }
  child.stdout?.on('data', add)
  child.stderr?.on('data', add)
  return output
}

/** Calls over real HTTP; parses the response. */
export async function http(
  { port }: { port: number },
  method: string,
  path: string,
  { token, body }: { token?: string; body?: unknown } = {},
) {
  const answer = await fetch(`http://127.0.0.1:${port}/api${path}`, {
    method,
    headers: {
      ...(token && { authorization: `Bearer ${token}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  return { status: answer.status, body: await answer.json() }
}

/** A host whose password a test knows, with a year of subscription. */
export const HOST = { username: 'ana', email: 'ana@example.com', password: 'correct horse', subscription_type: 12 }

/** Adds this host as the master, and signs it in. */
export async function makeHost(
  server: { port: number },
  host: { username: string; password: string } = HOST,
): Promise<Host & { token: string }> {
  const made = await http(server, 'POST', '/admin/hosts/integrate', { token: await signInMaster(server), body: host })
  if (made.status !== 200) throw new Error(`No host could be made: ${JSON.stringify(made.body)}`)
  const { token } = (await http(server, 'POST', '/auth/host/login', { body: host })).body.data
  return { ...made.body.data, token }
}

export async function signInMaster(server: { port: number }): Promise<string> {
  return (await http(server, 'POST', '/auth/master-login', { body: MASTER })).body.token
}
