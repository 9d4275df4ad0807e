import { PAUSE_MS } from './participant.ts'

/** Shorter sounds are no speech: a cough, a door. */
export const SHORTEST_SPEECH_MS = 1_000

/** A time that a user spoke, short pauses included. It is given again, with the same start, when it goes on after a pause. */
export interface Speech {
  user_id: string
  began_at: number
  ended_at: number | null // null: now
}

interface ZoomSpeech {
  since: number
  silentSince: number | null
}

/** Speeches by user, as plain data. */
export type ZoomSpeechesSnapshot = [string, ZoomSpeech][]

/** Times the speeches of users in Zoom's own app, as the seat's reports show them. Part of the room's reducer. */
export class ZoomSpeeches {
  readonly #byUser: Map<string, ZoomSpeech>

  constructor(snapshot: ZoomSpeechesSnapshot = []) {
    this.#byUser = new Map(snapshot)
  }

  toSnapshot(): ZoomSpeechesSnapshot {
    return [...this.#byUser]
  }

  /** Takes the ids of those who speak now. Returns the speeches that have ended, perhaps only for a pause. */
  note(speaking: ReadonlySet<string>, at: number): Speech[] {
    const spoken: Speech[] = []
    for (const [user_id, { since, silentSince }] of this.#byUser) {
      if (silentSince !== null && at - silentSince > PAUSE_MS) this.#byUser.delete(user_id)
      else if (silentSince === null && !speaking.has(user_id)) {
        this.#byUser.set(user_id, { since, silentSince: at })
        spoken.push({ user_id, began_at: since, ended_at: at })
      }
    }
    for (const user_id of speaking)
      this.#byUser.set(user_id, { since: this.#byUser.get(user_id)?.since ?? at, silentSince: null })
    return spoken
  }
}
