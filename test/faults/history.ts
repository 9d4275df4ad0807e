import { findUnexplained, type Operation } from './linearize.ts'

const UNKNOWN = Number.POSITIVE_INFINITY

/** A pending write. Without a response it remains uncertain. */
export interface PendingWrite {
  acknowledge(at: number): void
  /** The write was refused, so it must never take effect. */
  refuse(): void
}

interface Period {
  from: number
  until: number
}

/** The writes and reads of one register, such as a user's mute. Times in ms. */
export class History {
  #initial: boolean
  #operations: Operation[] = []

  constructor(initial: boolean) {
    this.#initial = initial
  }

  begin(value: boolean, began: number): PendingWrite {
    const write: Operation = { kind: 'write', value, began, ended: UNKNOWN, isUncertain: true }
    this.#operations.push(write)
    return {
      acknowledge(at) {
        write.ended = at
        delete write.isUncertain
      },
      refuse: () => {
        this.#operations = this.#operations.filter((one) => one !== write)
      },
    }
  }

  read(value: boolean, began: number, ended: number): void {
    this.#operations.push({ kind: 'read', value, began, ended })
  }

  /** Limits unanswered writes: they took effect before this time, or never will. */
  expire(before: number): void {
    for (const one of this.#operations) if (one.isUncertain && one.ended === UNKNOWN) one.ended = before
  }

  /** Returns the first operation that no order explains. */
  findUnexplained(): Operation | null {
    return findUnexplained(this.#initial, this.#operations)
  }

  /** Returns the most recent writes by then, for a report. */
  lastWrites(by: number): Operation[] {
    return this.#operations.filter(({ kind, began }) => kind === 'write' && began <= by).slice(-4)
  }

  /** Tells whether some order of the writes ends with this value; if none does, an acknowledged write is lost. */
  mayEndWith(value: boolean): boolean {
    return this.periodsOf(value).some(({ until }) => until === UNKNOWN)
  }

  /** Returns the overlapping periods in which the register may have had this value. */
  periodsOf(value: boolean): Period[] {
    const writes = this.#operations.filter(({ kind }) => kind === 'write')
    const others = writes.filter((one) => !one.isUncertain && one.value !== value)
    const followedAt = (after: number) =>
      others.reduce((first, { began, ended }) => (began > after ? Math.min(first, ended) : first), UNKNOWN)
    const own = writes.filter((one) => one.value === value)
    const periods = own.map(({ began, ended }) => ({ from: began, until: followedAt(ended) }))
    return this.#initial === value ? [{ from: -UNKNOWN, until: followedAt(-UNKNOWN) }, ...periods] : periods
  }

  /** Call it once all agree on this value: drops explained operations, and keeps those that may still take effect. */
  settle(value: boolean, at: number): void {
    this.#initial = value
    this.#operations = this.#operations.filter((one) => one.isUncertain && one.ended > at)
  }
}

/**
 * Returns the milliseconds for which no order of the writes had permitted this state of several registers when it was
 * read; 0 if one did, Infinity if none ever did.
 */
export function wrongForMs(periods: readonly Period[][], began: number, ended: number): number {
  let at = ended
  for (;;) {
    const latest = Math.min(...periods.map((of) => latestIn(of, at)))
    if (latest === at || latest === -UNKNOWN) return Math.max(0, began - latest)
    at = latest
  }
}

function latestIn(periods: readonly Period[], at: number): number {
  const begun = periods.filter(({ from }) => from <= at)
  return begun.reduce((latest, { until }) => Math.max(latest, Math.min(until, at)), -UNKNOWN)
}
