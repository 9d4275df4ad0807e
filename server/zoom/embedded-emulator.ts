import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import type { Config } from '../config.ts'
import { BadSetting, DEMO_CLIENT_ID, listenFault } from '../config.ts'
import { randomToken } from '../lib/secrets.ts'

const Listening = z.object({
  type: z.literal('listening'),
  origin: z.string(),
  oauth_url: z.string(),
  api_url: z.string(),
})

export interface EmbeddedEmulator {
  origin: string
  settings: Pick<
    Config,
    'ZOOM_CLIENT_ID' | 'ZOOM_CLIENT_SECRET' | 'ZOOM_WEBHOOK_SECRET' | 'ZOOM_OAUTH_URL' | 'ZOOM_API_URL' | 'ZOOM_SDK_URL'
  >
  close(): Promise<void>
}

const PROGRAM = new URL('../../emulator/main.ts', import.meta.url)
const MISSING = 'The stand-in for Zoom is not installed here. Set ZOOM_CLIENT_ID, or start Parley in a clone.'
/** The emulator has no passwords, so it listens on this machine only, wherever the server listens. */
const BIND = '127.0.0.1'

/** Starts the Zoom emulator as a process of its own, with credentials for this run. */
export async function startEmbeddedEmulator(config: Config, program = PROGRAM): Promise<EmbeddedEmulator> {
  if (!existsSync(program)) throw new BadSetting(MISSING)
  const credentials = {
    ZOOM_CLIENT_ID: DEMO_CLIENT_ID,
    ZOOM_CLIENT_SECRET: randomToken(),
    ZOOM_WEBHOOK_SECRET: config.ZOOM_WEBHOOK_SECRET ?? randomToken(),
  }
  const port = config.ZOOM_EMULATOR_PORT ?? (config.PORT === 0 ? 0 : config.PORT + 1)
  const child = fork(program, {
    env: {
      ...process.env,
      ...credentials,
      BIND,
      PUBLIC_URL: config.PUBLIC_URL,
      ZOOM_WEBHOOK_URL: `http://127.0.0.1:${config.PORT}/api/zoom/webhooks`,
      ZOOM_EMULATOR_PORT: String(port),
      ZOOM_EMULATOR_STATE: join(config.DATA_DIR, 'zoom-emulator.json'),
    },
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  })
  const { origin, oauth_url, api_url } = await listening(child, port)
  const ZOOM_SDK_URL = config.hasOwnSdkUrl ? config.ZOOM_SDK_URL : `${origin}/sdk`
  return {
    origin,
    settings: { ...credentials, ZOOM_OAUTH_URL: oauth_url, ZOOM_API_URL: api_url, ZOOM_SDK_URL },
    async close() {
      if (child.exitCode !== null || child.signalCode !== null) return
      const ended = once(child, 'exit')
      child.kill('SIGTERM')
      await ended
    },
  }
}

function listening(child: ChildProcess, port: number): Promise<z.infer<typeof Listening>> {
  return new Promise((resolve, reject) => {
    let stderr = ''
    child.stderr?.on('data', (text: Buffer) => {
      stderr = (stderr + text.toString()).slice(-2000)
    })
    child.once('message', (message) => {
      const read = Listening.safeParse(message)
      if (read.success) resolve(read.data)
      else reject(new Error('The Zoom emulator sent an unexpected message'))
    })
    child.once('exit', () => {
      const fallback = `ZOOM_EMULATOR_PORT=${port} cannot be used. Choose a free port. ${stderr.trim()}`
      reject(listenFault('ZOOM_EMULATOR_PORT', port, BIND, stderr) ?? new BadSetting(fallback))
    })
  })
}
