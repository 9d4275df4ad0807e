import type { LRUCache } from 'lru-cache'
import { DAY_MS } from '../../../shared/dates.ts'
import type { SeatWay } from '../../../shared/seat.ts'
import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors.ts'
import { boundedCache } from '../../lib/bounded-cache.ts'
import { noopBus } from '../../lib/bus.ts'
import { TokenBuckets } from '../../lib/token-bucket.ts'
import type { TraceEntry } from '../../zoom/zoom-trace.ts'

/** The limit of one room's entries, since a console may report anything. */
const ENTRIES = { name: 'seat entries', burst: 30, perSecond: 0.1, message: '' }

type SeatEntry = Omit<Extract<TraceEntry, { kind: 'seat' }>, 'kind'>

/** Notes for the field report what Zoom gave a seat, and what became of the seat in the meeting. */
export class SeatTrace {
  readonly #deps: Pick<Deps, 'zoomTrace'>
  readonly #entries: TokenBuckets
  /** The last entry of each room, which most reports repeat. */
  readonly #last: LRUCache<string, SeatEntry>

  constructor(deps: Pick<Deps, 'zoomTrace' | 'now'>) {
    this.#deps = deps
    this.#entries = new TokenBuckets({ now: deps.now, bus: noopBus }, ENTRIES)
    this.#last = boundedCache(deps.now, DAY_MS)
  }

  /** Notes the ticket, or the code with which it was refused. */
  async ticket<T>(way: SeatWay, create: () => Promise<T>): Promise<T> {
    const startedAt = performance.now()
    const note = (refusal: string | null) => {
      const ms = Math.round(performance.now() - startedAt)
      this.#deps.zoomTrace.note({ kind: 'ticket', role: `seat as ${way}`, ms, refusal })
    }
    try {
      const ticket = await create()
      note(null)
      return ticket
    } catch (error) {
      note(error instanceof AppError ? error.code : 'internal')
      throw error
    }
  }

  note(room_id: string, entry: SeatEntry): void {
    const { state, powers, zoom_code } = this.#last.get(room_id) ?? {}
    if (state === entry.state && powers === entry.powers && zoom_code === entry.zoom_code) return
    this.#last.set(room_id, entry)
    if (this.#entries.tryTake(room_id, 1)) this.#deps.zoomTrace.note({ kind: 'seat', ...entry })
  }
}
