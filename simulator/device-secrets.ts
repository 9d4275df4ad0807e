import { appendFile, mkdir, readFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { z } from 'zod'

const Line = z.tuple([z.string(), z.string()])

/** What each simulated phone was given to be known by. Without it, it is another phone to the server. */
export class DeviceSecrets {
  readonly #secrets: Map<string, string>
  readonly #path: string | null

  /** In memory alone, where no path is given. */
  constructor(path: string | null = null, secrets: Iterable<[string, string]> = []) {
    this.#path = path
    this.#secrets = new Map(secrets)
  }

  /** As a phone keeps them: through its own restarts. */
  static async keptIn(path: string): Promise<DeviceSecrets> {
    const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error
      return ''
    })
    return new DeviceSecrets(path, text.split('\n').flatMap(readLine))
  }

  of(phone: string): string | null {
    return this.#secrets.get(phone) ?? null
  }

  async keep(phone: string, secret: string): Promise<void> {
    this.#secrets.set(phone, secret)
    if (this.#path === null) return
    await mkdir(dirname(this.#path), { recursive: true })
    await appendFile(this.#path, `\n${JSON.stringify([phone, secret])}`, { mode: 0o600 })
  }
}

/** What a process had only half written when it was killed is no line. */
function readLine(text: string): [string, string][] {
  try {
    return [Line.parse(JSON.parse(text))]
  } catch {
    return []
  }
}
