import type { ChildProcess } from 'node:child_process'
import { z } from 'zod'
import { startChild } from './child.ts'

/** The server sends it once it listens. */
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
    const result = Ready.safeParse(message)
    if (result.success) resolve(result.data)
  })
  child.once('exit', () => reject(new ServerEnded('The server has ended')))
  ready.catch(() => {}) // a caller that does not await it watches the child
  return { child, ready }
}

/** The server has printed the reason. */
export class ServerEnded extends Error {}
