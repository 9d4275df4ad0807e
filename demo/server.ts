import type { ChildProcess } from 'node:child_process'
import { z } from 'zod'
import { startChild } from './child.ts'

/** What the server says when it listens. */
const Ready = z.object({
  type: z.literal('ready'),
  public_url: z.string(),
  master_url: z.string(),
  host_url: z.string(),
  emulator_origin: z.string().nullish(),
})
export type Sites = z.infer<typeof Ready>

export function startServer(env: NodeJS.ProcessEnv): { child: ChildProcess; ready: Promise<Sites> } {
  const child = startChild('server/main.ts', { env: { ...env, ZOOM_EMULATOR_CONTROL: '1' } })
  const { promise: ready, resolve, reject } = Promise.withResolvers<Sites>()
  child.on('message', (message) => {
    const said = Ready.safeParse(message)
    if (said.success) resolve(said.data)
  })
  child.once('exit', () => reject(new ServerEnded('The server has ended')))
  ready.catch(() => {}) // who does not wait for it hears of the end by the child
  return { child, ready }
}

/** It has said why itself. */
export class ServerEnded extends Error {}
