import { type History, wrongForMs } from './history.ts'

const KINDS = ['server', 'console', 'phone'] as const
type Kind = (typeof KINDS)[number]

/** A state that is older than this is late. What is younger may be on its way. */
const LATE_MS = 250

interface Sample {
  kind: Kind
  mutes: ReadonlyMap<string, boolean>
  began: number
  ended: number
}

/** In ms. */
export interface Wrong {
  longest: number
  p99: number
}

/** What servers, consoles and phones showed, again and again. It is judged when the answers to all writes are known. */
export class Samples {
  readonly #samples: Sample[] = []
  /** When a server did not answer, was out of step, or took a phone for offline. */
  readonly #absences: number[] = []

  /** Who is muted, as it is shown at one place. */
  add(kind: Kind, mutes: ReadonlyMap<string, boolean>, began: number, ended = began): void {
    this.#samples.push({ kind, mutes, began, ended })
  }

  addAbsence(at: number): void {
    this.#absences.push(at)
  }

  /** For how long those of each kind showed what no order of the writes allowed any more, and when the last one was late. */
  judge(histories: ReadonlyMap<string, History>): Record<Kind, Wrong> & { lateAt: number } {
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

function wrongOf(ms: number[]): Wrong {
  const sorted = ms.toSorted((a, b) => a - b)
  return { longest: sorted.at(-1) ?? 0, p99: sorted[Math.floor(0.99 * sorted.length)] ?? 0 }
}
