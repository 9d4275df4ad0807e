import { appendFile, mkdir, readFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { z } from 'zod'

const Line = z.tuple([z.string(), z.string()])

/** Stores the device secret of each simulated phone, without which the server treats it as another phone. */
export class DeviceSecrets {
  readonly #secrets: Map<string, string>
  readonly #path: string | null

  /** Keeps the secrets only in memory if there is no path. */
  constructor(path: string | null = null, secrets: Iterable<[string, string]> = []) {
    this.#path = path
    this.#secrets = new Map(secrets)
  }

  /** Opens a file in which the secrets survive restarts, as on a real phone. */
  static async open(path: string): Promise<DeviceSecrets> {
    const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error
      return ''
    })
    return new DeviceSecrets(path, text.split('\n').flatMap(readLine))
  }

  get(phone: string): string | null {
    return this.#secrets.get(phone) ?? null
  }

  async set(phone: string, secret: string): Promise<void> {
    this.#secrets.set(phone, secret)
    if (this.#path === null) return
    await mkdir(dirname(this.#path), { recursive: true })
    await appendFile(this.#path, `\n${JSON.stringify([phone, secret])}`, { mode: 0o600 })
  }
}

/** Skips a line that was truncated when the process was killed. */
function readLine(text: string): [string, string][] {
  try {
    return [Line.parse(JSON.parse(text))]
  } catch {
    return []
  }
}
