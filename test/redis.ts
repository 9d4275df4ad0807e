import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { freePort } from './free-port.ts'

export interface TestRedis {
  url: string
  /** Kills it, with all that it holds. */
  kill(): Promise<void>
  /** Starts it again on the same port, empty. */
  start(): Promise<void>
  /** Freezes it: connections stay open without answers. */
  pause(): void
  resume(): void
  stop(): Promise<void>
}

/** A real Redis server on a free loopback port, that writes nothing to disk. */
export async function startRedis(): Promise<TestRedis> {
  const port = await freePort()
  let server = await listening(port)
  const end = async () => {
    if (server.exitCode !== null || server.signalCode !== null) return
    const ended = once(server, 'exit')
    server.kill('SIGKILL')
    await ended
  }
  return {
    url: `redis://127.0.0.1:${port}`,
    kill: end,
    async start() {
      server = await listening(port)
    },
    pause: () => void server.kill('SIGSTOP'),
    resume: () => void server.kill('SIGCONT'),
    stop: end,
  }
}

async function listening(port: number): Promise<ChildProcess> {
  const settings = [
    '--port',
    String(port),
    '--bind',
    '127.0.0.1',
    '--save',
    '',
    '--appendonly',
    'no',
    '--daemonize',
    'no',
  ]
  const server = spawn('redis-server', settings, { stdio: ['ignore', 'pipe', 'inherit'] })
  for await (const line of createInterface({ input: server.stdout })) {
    if (!line.includes('Ready to accept connections')) continue
    server.stdout.resume()
    return server
  }
  throw new Error('Redis ended before it was ready')
}
