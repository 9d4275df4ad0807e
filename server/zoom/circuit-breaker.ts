import { backoff } from '../../shared/backoff.ts'
import { DAY_MS, startOfDay, utcDay } from '../../shared/dates.ts'
import type { Clock } from '../lib/clock.ts'
import { isFault, ZoomError } from './errors.ts'

/** Failures in a row that open the circuit for a cool-down, which grows each time that the next probe fails. */
const FAILURES = 5
const COOL_DOWN_MS = { first: 5_000, longest: 60_000 }

interface Circuit {
  failures: number
  coolDowns: number
  openUntil: number
  /** The single call of a half-open circuit. */
  probe: Promise<unknown> | null
  lastError: ZoomError | null
}

/**
 * Refuses an account's calls at once while Zoom fails or has requested a pause. After the cool-down the circuit is
 * half-open: one call probes Zoom, and calls that arrive during it wait for its outcome.
 */
export class CircuitBreaker {
  readonly #now: Clock
  readonly #circuits = new Map<string, Circuit>()

  constructor(now: Clock) {
    this.#now = now
  }

  async run<T>(key: string, call: () => Promise<T>): Promise<T> {
    let circuit = this.#circuits.get(key)
    while (circuit?.probe) {
      await circuit.probe
      circuit = this.#circuits.get(key)
    }
    if (!circuit?.lastError) return this.#observe(key, call)
    if (circuit.openUntil > this.#now()) throw openError(circuit.lastError)
    const probe = this.#observe(key, call)
    circuit.probe = probe.catch(() => {})
    return probe
  }

  /** Throws for a call that was queued before the circuit opened. */
  assertClosed(key: string): void {
    const circuit = this.#circuits.get(key)
    if (circuit?.lastError && !circuit.probe && circuit.openUntil > this.#now()) throw openError(circuit.lastError)
  }

  async #observe<T>(key: string, call: () => Promise<T>): Promise<T> {
    try {
      const result = await call()
      this.#circuits.delete(key)
      return result
    } catch (error) {
      if (isFault(error, 'unavailable') || isPauseRequest(error)) this.#recordFailure(key, error)
      else if (isFault(error, 'busy')) this.#endProbe(key)
      else this.#circuits.delete(key) // Zoom answered
      throw error
    }
  }

  #endProbe(key: string): void {
    const circuit = this.#circuits.get(key)
    if (circuit) circuit.probe = null
  }

  #recordFailure(key: string, error: ZoomError): void {
    const circuit = this.#circuits.get(key) ?? {
      ...{ failures: 0, coolDowns: 0, openUntil: 0, probe: null, lastError: null },
    }
    this.#circuits.set(key, circuit)
    // Calls that began before the circuit opened fail together, and must not lengthen the cool-down.
    if (!circuit.probe && circuit.openUntil > this.#now()) return
    circuit.failures++
    const isOpening = circuit.probe !== null || circuit.failures >= FAILURES
    const coolDown = this.#requestedPause(error) ?? (isOpening ? backoff(circuit.coolDowns + 1, COOL_DOWN_MS) : null)
    circuit.probe = null
    if (coolDown === null) return
    circuit.lastError = error
    circuit.coolDowns++
    circuit.openUntil = this.#now() + coolDown
  }

  /** Returns the pause in ms; null if Zoom requested none. A daily limit without a time ends with the day in UTC. */
  #requestedPause(error: ZoomError): number | null {
    if (!isPauseRequest(error)) return null
    const midnight = startOfDay(utcDay(this.#now()).add({ days: 1 }))
    return Math.min(error.details.retryAfterMs ?? midnight.getTime() - this.#now(), DAY_MS)
  }
}

/** Excludes the limits per second, which the rate queue handles. */
function isPauseRequest(error: unknown): error is ZoomError {
  if (!isFault(error, 'rate_limit')) return false
  return error.details.isDaily === true || (error.details.retryAfterMs ?? 0) > 0
}

function openError({ fault, message, details }: ZoomError): ZoomError {
  return new ZoomError(fault, `The circuit is open: ${message}`, details)
}
