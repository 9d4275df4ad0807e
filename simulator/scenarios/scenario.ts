import type { Schedule } from '../../shared/phone/schedule.ts'
import type { SimulatedPhone } from '../phone.ts'
import type { Random } from '../random.ts'

export type SimulatedRoom = {
  phones: ReadonlySet<SimulatedPhone> // currently signed in
  random: Random
  schedule: Schedule
}

/** The behaviour of a crowd of phones until the schedule is closed. */
export type Scenario = {
  about: string
  /** True if people sign in again after the host or the server signed them out. */
  signsInAgain: boolean
  begin: (room: SimulatedRoom) => void
}

/** Ignores failures: a person who is offline or signed out does something else later. */
export function ignoreFailure<T>(call: Promise<T>): Promise<T | undefined> {
  return call.catch(() => undefined)
}
