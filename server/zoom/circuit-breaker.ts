import { DAY_MS, startOfDay, utcDay } from '../../shared/dates.ts'
import { backoff } from '../lib/backoff.ts'
import type { Clock } from '../lib/clock.ts'
import { isFault, ZoomError } from './errors.ts'

/** So many failures in a row, and Zoom is left alone for a while, longer each time that it is no better. */
const FAILURES = 5
const REST_MS = { first: 5_000, longest: 60_000 }

interface Circuit {
  failures: number
  rests: number
  restsUntil: number
  trial: Promise<unknown> | null
  last: ZoomError | null
}

/**
 * Leaves an account's Zoom alone while it cannot answer or has asked for that: whoever asks meanwhile hears so at once,
 * and does not wait for what will not come. After the rest one call tries, and those that come meanwhile wait for it.
 */
export class Breaker {
  readonly #now: Clock
  readonly #circuits = new Map<string, Circuit>()

  constructor(now: Clock) {
    this.#now = now
  }

  async through<T>(key: string, work: () => Promise<T>): Promise<T> {
    let circuit = this.#circuits.get(key)
    while (circuit?.trial) {
      await circuit.trial
      circuit = this.#circuits.get(key)
    }
    if (!circuit?.last) return this.#watched(key, work)
    if (circuit.restsUntil > this.#now()) throw refused(circuit.last)
    const trial = this.#watched(key, work)
    circuit.trial = trial.catch(() => {})
    return trial
  }

  async #watched<T>(key: string, work: () => Promise<T>): Promise<T> {
    try {
      const result = await work()
      this.#circuits.delete(key)
      return result
    } catch (error) {
      if (isFault(error, 'unavailable') || isWish(error)) this.#failed(key, error)
      else if (isFault(error, 'busy')) this.#endTrial(key)
      else this.#circuits.delete(key) // Zoom has answered, whatever it said
      throw error
    }
  }

  /** For who has waited for its turn since it was let through: throws where Zoom is left alone by now. */
  check(key: string): void {
    const circuit = this.#circuits.get(key)
    if (circuit?.last && !circuit.trial && circuit.restsUntil > this.#now()) throw refused(circuit.last)
  }

  #endTrial(key: string): void {
    const circuit = this.#circuits.get(key)
    if (circuit) circuit.trial = null
  }

  #failed(key: string, error: ZoomError): void {
    const circuit = this.#circuits.get(key) ?? { failures: 0, rests: 0, restsUntil: 0, trial: null, last: null }
    this.#circuits.set(key, circuit)
    // One that began before the rest says nothing new, and there may be many of them.
    if (!circuit.trial && circuit.restsUntil > this.#now()) return
    circuit.failures++
    const rest = this.#askedRest(error) ?? (circuit.trial || circuit.failures >= FAILURES ? nextRest(circuit) : null)
    circuit.trial = null
    if (rest === null) return
    circuit.last = error
    circuit.rests++
    circuit.restsUntil = this.#now() + rest
  }

  /** What Zoom itself asks for. A limit of the day without a time ends with the day in UTC. */
  #askedRest(error: ZoomError): number | null {
    if (!isWish(error)) return null
    const { details } = error
    const midnight = startOfDay(utcDay(this.#now()).add({ days: 1 }))
    return Math.min(details.retryAfterMs ?? midnight.getTime() - this.#now(), DAY_MS)
  }
}

/** Zoom asks to be left alone. A limit of the second is none: the calls' queue sees to it. */
function isWish(error: unknown): error is ZoomError {
  if (!isFault(error, 'rate_limit')) return false
  return error.details.isDaily === true || (error.details.retryAfterMs ?? 0) > 0
}

const nextRest = ({ rests }: Circuit) => backoff(rests + 1, REST_MS)

/** In the words of what has led to it. */
function refused({ fault, message, details }: ZoomError): ZoomError {
  return new ZoomError(fault, `Zoom is left alone for a while: ${message}`, details)
}
