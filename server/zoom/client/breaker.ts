import type { Clock } from '../../clock.ts'
import { isFault, ZoomError } from '../zoom-error.ts'

/** So many failures in a row, and Zoom is left alone for a while, longer each time that it is no better. */
const FAILURES = 5
const FIRST_REST_MS = 5_000
const LONGEST_REST_MS = 60_000
const DAY_MS = 24 * 3_600_000

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
      if (isFault(error, 'unavailable', 'rate_limit')) this.#failed(key, error)
      else this.#circuits.delete(key) // Zoom has answered, whatever it said
      throw error
    }
  }

  #failed(key: string, error: ZoomError): void {
    const circuit = this.#circuits.get(key) ?? { failures: 0, rests: 0, restsUntil: 0, trial: null, last: null }
    this.#circuits.set(key, circuit)
    circuit.failures++
    const rest = this.#askedRest(error) ?? (circuit.trial || circuit.failures >= FAILURES ? nextRest(circuit) : null)
    circuit.trial = null
    if (rest === null) return
    circuit.last = error
    circuit.rests++
    circuit.restsUntil = this.#now() + rest
  }

  /** What Zoom itself asks for. A limit of the day without a time ends with the day in UTC. */
  #askedRest({ fault, details }: ZoomError): number | null {
    if (fault !== 'rate_limit') return null
    const untilMidnight = DAY_MS - (this.#now() % DAY_MS)
    return Math.min(details.retryAfterMs ?? (details.isDaily ? untilMidnight : Number.NaN), DAY_MS) || null
  }
}

const nextRest = ({ rests }: Circuit) => Math.min(LONGEST_REST_MS, FIRST_REST_MS * 2 ** rests)

/** In the words of what has led to it. */
function refused({ fault, message, details }: ZoomError): ZoomError {
  return new ZoomError(fault, `Zoom is left alone for a while: ${message}`, details)
}
