import { DAY_MS } from '../../../shared/dates.ts'
import type { Deps } from '../../deps.ts'

export const KNOWN_DEVICE_MS = 90 * DAY_MS
/** `seen_at` is written at most this often. */
const TOUCH_MS = DAY_MS
const MAX_REMEMBERED = 50_000

/** Devices that accounts have signed in from, in the database so that they survive a restart. */
export class KnownDevices {
  readonly #deps: Pick<Deps, 'db' | 'secrets' | 'now'>
  /** When the row was last written. */
  readonly #remembered = new Map<string, number>()

  constructor(deps: Pick<Deps, 'db' | 'secrets' | 'now'>) {
    this.#deps = deps
  }

  async has(account: string, device: string): Promise<boolean> {
    const { db, now } = this.#deps
    const row = await db
      .selectFrom('known_devices')
      .select('hash')
      .where('hash', '=', this.#hash(account, device))
      .where('seen_at', '>', new Date(now() - KNOWN_DEVICE_MS))
      .executeTakeFirst()
    return row !== undefined
  }

  async remember(account: string, device: string): Promise<void> {
    const { db, now } = this.#deps
    const hash = this.#hash(account, device)
    const seen_at = new Date(now())
    if (now() - (this.#remembered.get(hash) ?? 0) < TOUCH_MS) return
    await db
      .insertInto('known_devices')
      .values({ hash, seen_at })
      .onConflict((conflict) =>
        conflict
          .column('hash')
          .doUpdateSet({ seen_at })
          .where('known_devices.seen_at', '<', new Date(now() - TOUCH_MS)),
      )
      .execute()
    if (this.#remembered.size >= MAX_REMEMBERED) this.#remembered.clear()
    this.#remembered.set(hash, now())
  }

  #hash(account: string, device: string): string {
    return this.#deps.secrets.sign('known-devices', JSON.stringify([account, device]))
  }
}
