import type { LRUCache } from 'lru-cache'
import { DAY_MS } from '../../../shared/dates.ts'
import type { Deps } from '../../deps.ts'
import { boundedCache } from '../../lib/bounded-cache.ts'

export const KNOWN_DEVICE_MS = 90 * DAY_MS
/** The shortest interval between two writes of `last_seen_at`. */
const TOUCH_MS = DAY_MS

/** Devices from which accounts have signed in. The database keeps them across restarts. */
export class KnownDevices {
  readonly #deps: Pick<Deps, 'db' | 'secrets' | 'now' | 'strangers'>
  /** Devices whose rows were written within the last day. */
  readonly #remembered: LRUCache<string, object>

  constructor(deps: Pick<Deps, 'db' | 'secrets' | 'now' | 'strangers'>) {
    this.#deps = deps
    this.#remembered = boundedCache(deps.now, TOUCH_MS)
  }

  async has(account: string, device: string, ip: string): Promise<boolean> {
    const { db, now, strangers } = this.#deps
    const hash = this.#hash(account, device)
    if (this.#remembered.has(hash)) return true
    const query = db
      .selectFrom('known_devices')
      .select('hash')
      .where('hash', '=', hash)
      .where('last_seen_at', '>', new Date(now() - KNOWN_DEVICE_MS))
    return (await strangers.run(ip, () => query.executeTakeFirst())) !== undefined
  }

  async remember(account: string, device: string): Promise<void> {
    const { db, now } = this.#deps
    const hash = this.#hash(account, device)
    const last_seen_at = new Date(now())
    if (this.#remembered.has(hash)) return
    await db
      .insertInto('known_devices')
      .values({ hash, last_seen_at })
      .onConflict((conflict) =>
        conflict
          .column('hash')
          .doUpdateSet({ last_seen_at })
          .where('known_devices.last_seen_at', '<', new Date(now() - TOUCH_MS)),
      )
      .execute()
    this.#remembered.set(hash, {})
  }

  #hash(account: string, device: string): string {
    return this.#deps.secrets.sign('known-devices', JSON.stringify([account, device]))
  }
}
