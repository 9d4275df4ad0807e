import type { ChildProcess } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { z } from 'zod'
import { type ChildOptions, startChild, stopChild, waitForMessage } from './child.ts'

const Services = z.object({ database_url: z.string(), redis_url: z.string(), data_dir: z.string() })
const Emulator = z.object({ origin: z.string(), oauth_url: z.string(), api_url: z.string() })

/** The first port of PostgreSQL and Redis, as an offset from the demo's own. */
const FIRST_PORT = 31
const STOP_MS = 15_000

/** The services that a demo's nodes share: PostgreSQL, Redis, a folder, and the Zoom emulator unless Zoom is set. */
export class SharedServices {
  readonly #children: ChildProcess[] = []
  readonly #onEnd: () => void

  /** `onEnd` is called when one of them has ended and has printed the reason. */
  constructor(onEnd: () => void) {
    this.#onEnd = onEnd
  }

  /** Returns the settings for the nodes. Call it once. */
  async start(env: NodeJS.ProcessEnv, port: number) {
    const args = [String(port + FIRST_PORT)]
    const { database_url, redis_url, data_dir } = await this.#run('demo/services.ts', Services, { args, env })
    const settings = {
      ...env,
      BIND: '127.0.0.1',
      TRUST_PROXY: 'true',
      PUBLIC_URL: env.PUBLIC_URL || `http://localhost:${port}`,
      DATABASE_URL: database_url,
      REDIS_URL: redis_url,
      DATA_DIR: data_dir,
      SECRET_KEY: env.SECRET_KEY || randomBytes(48).toString('base64'),
    }
    if (env.ZOOM_CLIENT_ID) return { settings, data_dir, emulator_origin: null }

    const app = {
      ZOOM_CLIENT_ID: 'parley-demo',
      ZOOM_CLIENT_SECRET: randomBytes(24).toString('hex'),
      ZOOM_WEBHOOK_SECRET: randomBytes(24).toString('hex'),
    }
    const of = {
      ...settings,
      ...app,
      ZOOM_WEBHOOK_URL: `http://127.0.0.1:${port}/api/zoom/webhooks`,
      ZOOM_EMULATOR_PORT: env.ZOOM_EMULATOR_PORT || String(port + 1),
      ZOOM_EMULATOR_STATE: join(data_dir, 'zoom-emulator.json'),
      ZOOM_EMULATOR_CONTROL: '1',
    }
    const { origin, oauth_url, api_url } = await this.#run('emulator/main.ts', Emulator, { env: of, quiet: true })
    const zoom = {
      ...app,
      ZOOM_OAUTH_URL: oauth_url,
      ZOOM_API_URL: api_url,
      ZOOM_SDK_URL: env.ZOOM_SDK_URL || `${origin}/sdk`,
    }
    return { settings: { ...settings, ...zoom }, data_dir, emulator_origin: origin }
  }

  /** Stops them in reverse order. */
  async stop(): Promise<void> {
    for (const child of this.#children.toReversed()) await stopChild(child, 'SIGTERM', STOP_MS)
  }

  #run<T extends z.ZodType>(program: string, ready: T, how: ChildOptions): Promise<z.output<T>> {
    const child = startChild(program, how)
    child.once('exit', this.#onEnd)
    this.#children.push(child)
    return waitForMessage(child, ready)
  }
}
