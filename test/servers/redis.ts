import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { freePort } from './free-port.ts'

export interface TestRedis {
  url: string
  /** Kills it and loses all its data. */
  kill(): Promise<void>
  /** Restarts it on the same port. `isEmpty` discards what it wrote to disk. */
  start(options?: { isEmpty?: boolean }): Promise<void>
  /** Freezes it: connections stay open without responses. */
  pause(): void
  resume(): void
  stop(): Promise<void>
}

interface Options {
  /** The folder for its data. */
  folder?: string
  env?: Record<string, string>
}

/** A real Redis server on a free loopback port, which writes nothing to disk unless it has a folder. */
export async function startRedis({ folder, env = {} }: Options = {}): Promise<TestRedis> {
  const port = await freePort()
  const settings = folder ? ['--dir', folder, '--appendonly', 'yes'] : []
  const start = () => startRedisProcess(port, settings, env)
  let server = await start()
  return {
    url: `redis://127.0.0.1:${port}`,
    kill: () => server.kill(),
    async start({ isEmpty = true } = {}) {
      if (isEmpty && folder) await rm(join(folder, 'appendonlydir'), { recursive: true, force: true })
      server = await start()
    },
    pause: () => server.pause(),
    resume: () => server.resume(),
    stop: () => server.kill(),
  }
}

export interface RedisProcess {
  port: number
  kill(): Promise<void>
  /** Freezes it: connections stay open without responses. */
  pause(): void
  resume(): void
}

/** Starts Redis with additional settings. */
export async function startRedisProcess(port: number, settings: string[] = [], env = {}): Promise<RedisProcess> {
  const all = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no', ...settings]
  return run(port, all, { env, ready: 'Ready to accept connections' })
}

/** A Sentinel writes to its configuration file. */
export async function startSentinelProcess(port: number, configuration: string): Promise<RedisProcess> {
  return run(port, [configuration, '--sentinel', '--port', String(port), '--bind', '127.0.0.1'], {
    ready: 'Sentinel ID is',
  })
}

async function run(port: number, args: string[], { env = {}, ready = '' }): Promise<RedisProcess> {
  const server = await listening([...args, '--daemonize', 'no'], { env, ready })
  return {
    port,
    async kill() {
      if (server.exitCode !== null || server.signalCode !== null) return
      const ended = once(server, 'exit')
      server.kill('SIGKILL')
      await ended
    },
    pause: () => void server.kill('SIGSTOP'),
    resume: () => void server.kill('SIGCONT'),
  }
}

async function listening(args: string[], { env = {}, ready = '' }): Promise<ChildProcess> {
  const server = spawn('redis-server', args, {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, ...env },
  })
  for await (const line of createInterface({ input: server.stdout })) {
    if (!line.includes(ready)) continue
    server.stdout.resume()
    return server
  }
  throw new Error('Redis ended before it was ready')
}
