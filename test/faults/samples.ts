import { type History, wrongForMs } from './history.ts'

const KINDS = ['server', 'console', 'phone'] as const
type Kind = (typeof KINDS)[number]

/** A state older than this is late; a newer one may be in transit. */
const LATE_MS = 250

interface Sample {
  kind: Kind
  mutes: ReadonlyMap<string, boolean>
  began: number
  ended: number
}

/** Milliseconds. */
export interface WrongTimes {
  longest: number
  p99: number
}

/** Collects the states that servers, consoles and phones showed. They are judged once all writes have a response. */
export class Samples {
  readonly #samples: Sample[] = []
  /** Times at which a server did not respond, was out of step, or considered a phone offline. */
  readonly #absences: number[] = []

  /** Adds the mutes as one place shows them. */
  add(kind: Kind, mutes: ReadonlyMap<string, boolean>, began: number, ended = began): void {
    this.#samples.push({ kind, mutes, began, ended })
  }

  addAbsence(at: number): void {
    this.#absences.push(at)
  }

  /**
   * Returns how long each kind showed a state that no order of the writes permitted, and when the last one was late.
   */
  judge(histories: ReadonlyMap<string, History>): Record<Kind, WrongTimes> & { lateAt: number } {
    const periods = new Map(
      [...histories].map(([id, history]) => [id, [history.periodsOf(false), history.periodsOf(true)] as const]),
    )
    const all: Record<Kind, number[]> = { server: [], console: [], phone: [] }
    let lateAt = Math.max(0, ...this.#absences)
    const [first] = this.#samples
    for (const { kind, mutes, began, ended } of this.#samples) {
      const shown = [...mutes].map(([id, isMuted]) => periods.get(id)?.[isMuted ? 1 : 0] ?? [])
      const ms = Math.min(wrongForMs(shown, began, ended), began - (first?.began ?? began))
      all[kind].push(ms)
      if (ms > LATE_MS) lateAt = Math.max(lateAt, began)
    }
    return { server: wrongOf(all.server), console: wrongOf(all.console), phone: wrongOf(all.phone), lateAt }
  }
}

function wrongOf(ms: number[]): WrongTimes {
  const sorted = ms.toSorted((a, b) => a - b)
  return { longest: sorted.at(-1) ?? 0, p99: sorted[Math.floor(0.99 * sorted.length)] ?? 0 }
}
