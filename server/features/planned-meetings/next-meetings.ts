import type { NextMeeting } from '../../../shared/planned-meetings.ts'
import type { Deps } from '../../deps.ts'
import { findNextMeeting } from './planned-meetings.ts'

/** A change is shown to phones after this many milliseconds at most. */
const KEPT_MS = 30_000

interface Known {
  meeting: NextMeeting | null
  read_at: number
}

/** The next meetings of rooms whose phones poll: each phone asks every few seconds, the database twice a minute. */
export class NextMeetings {
  readonly #deps: Pick<Deps, 'db' | 'now' | 'log'>
  readonly #known = new Map<string, Known>()
  readonly #loading = new Map<string, Promise<void>>()

  constructor(deps: Pick<Deps, 'db' | 'now' | 'log'>) {
    this.#deps = deps
  }

  /** Waits for the database only if nothing is known that holds now. */
  async of(host_id: string): Promise<NextMeeting | null> {
    const now = this.#deps.now()
    const known = this.#known.get(host_id)
    const isUsable = known !== undefined && !isOver(known, now)
    if (!isUsable || known.read_at + KEPT_MS <= now) {
      const loading = this.#load(host_id)
      if (!isUsable) await loading
    }
    const found = this.#known.get(host_id)
    return found && !isOver(found, now) ? found.meeting : null
  }

  #load(host_id: string): Promise<void> {
    const running = this.#loading.get(host_id)
    if (running) return running
    const loading = this.#read(host_id).finally(() => this.#loading.delete(host_id))
    this.#loading.set(host_id, loading)
    return loading
  }

  /** Keeps what is known while the database does not answer. */
  async #read(host_id: string): Promise<void> {
    const read_at = this.#deps.now()
    try {
      this.#known.set(host_id, { meeting: await findNextMeeting(this.#deps, host_id), read_at })
    } catch (err) {
      this.#deps.log.warn({ err, host_id }, 'planned_meetings.not_read')
      this.#known.set(host_id, { meeting: this.#known.get(host_id)?.meeting ?? null, read_at })
    }
  }
}

const isOver = ({ meeting }: Known, now: number) => meeting !== null && Date.parse(meeting.ends_at) <= now
