import type { ChildProcess } from 'node:child_process'
import { z } from 'zod'
import { startChild, stopChild, waitForMessage } from './child.ts'
import type { AddHistory } from './demo-server.ts'

/** Sent by the server once it listens. */
const Ready = z.object({
  type: z.literal('ready'),
  public_url: z.string(),
  master_url: z.string(),
  host_url: z.string(),
  phone_url: z.string(),
  emulator_origin: z.string().nullish(),
})
export type SiteUrls = z.infer<typeof Ready>

export type StartedServer = SiteUrls & { data_dir: string }

const HistoryAdded = z.object({ type: z.literal('history_added'), failure: z.string().nullable() })

/** The running demo: one server or several. */
export interface RunningDemo {
  ready: Promise<StartedServer>
  /** Resolves with an exit code if it ends by itself. */
  ended: Promise<number>
  /** Returns the lines of the welcome. */
  describe(): string[]
  /** Gives a sample room past meetings, unless it has them. */
  addHistory(hostId: string): Promise<void>
  stop(): Promise<void>
  /** Stops at once, for users who do not wait. */
  kill(): void
}

export const STOP_TIMEOUT_MS = 10_000

export function spawnServer(env: NodeJS.ProcessEnv, label?: string): { child: ChildProcess; ready: Promise<SiteUrls> } {
  const child = startChild('demo/demo-server.ts', { env: { ...env, ZOOM_EMULATOR_CONTROL: '1' }, label })
  return { child, ready: waitForMessage(child, Ready) }
}

export async function askForHistory(child: ChildProcess, host_id: string): Promise<void> {
  const answer = waitForMessage(child, HistoryAdded)
  child.send({ type: 'add_history', host_id } satisfies AddHistory)
  const { failure } = await answer
  if (failure !== null) throw new Error(failure)
}

/** Starts a server with the embedded database and the Zoom emulator that it launches itself. */
export function startOneServer(env: NodeJS.ProcessEnv): RunningDemo {
  const { child, ready } = spawnServer(env)
  return {
    ready: ready.then((sites) => ({ ...sites, data_dir: env.DATA_DIR || 'data' })),
    ended: new Promise((resolve) => child.once('exit', (code) => resolve(code ?? 1))),
    describe: () => [],
    addHistory: (hostId) => askForHistory(child, hostId),
    stop: () => stopChild(child, 'SIGTERM', STOP_TIMEOUT_MS),
    kill: () => void child.kill('SIGKILL'),
  }
}
