import type { Phone } from '../participant.ts'
import type { Random } from '../random.ts'
import type { Schedule } from '../schedule.ts'

export type Room = {
  phones: ReadonlySet<Phone> // those signed in at this moment
  random: Random
  schedule: Schedule
}

/** How a crowd of phones behaves, until the room's schedule is closed. */
export type Scenario = {
  about: string
  /** Whether a person whom the host or the server signed out signs in again after a while. */
  signsInAgain: boolean
  begin: (room: Room) => void
}

/** People do not mind when a call fails: they are out of reach, signed out, or simply try something else later. */
export function attempt<T>(call: Promise<T>): Promise<T | undefined> {
  return call.catch(() => undefined)
}
