import type { Schedule } from '../../shared/phone/schedule.ts'
import type { SimulatedPhone } from '../phone.ts'
import type { Random } from '../random.ts'

export type Room = {
  phones: ReadonlySet<SimulatedPhone> // signed in now
  random: Random
  schedule: Schedule
}

/** What a crowd of phones does until the schedule is closed. */
export type Scenario = {
  about: string
  /** Whether a person signs in again after the host or the server signed them out. */
  signsInAgain: boolean
  begin: (room: Room) => void
}

/** Ignores a failure: a person out of reach or signed out does something else later. */
export function attempt<T>(call: Promise<T>): Promise<T | undefined> {
  return call.catch(() => undefined)
}
