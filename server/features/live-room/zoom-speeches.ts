import { PAUSE_MS } from './state/participant.ts'
import type { Speech } from './state/room-state.ts'

/** Times the speeches of users in Zoom's own app, as the seat's reports show them. */
export class ZoomSpeeches {
  readonly #turns = new Map<string, { since: number; silentSince: number | null }>()

  /** Takes the ids of those who speak now. Returns the speeches that have ended, perhaps only for a pause. */
  note(speaking: ReadonlySet<string>, at: number): Speech[] {
    const spoken: Speech[] = []
    for (const [user_id, turn] of this.#turns) {
      if (speaking.has(user_id)) continue
      if (turn.silentSince === null) {
        turn.silentSince = at
        spoken.push({ user_id, began_at: turn.since, ended_at: at })
      } else if (at - turn.silentSince > PAUSE_MS) this.#turns.delete(user_id)
    }
    for (const user_id of speaking) {
      const turn = this.#turns.get(user_id)
      const isPause = turn && (turn.silentSince === null || at - turn.silentSince <= PAUSE_MS)
      if (isPause) turn.silentSince = null
      else this.#turns.set(user_id, { since: at, silentSince: null })
    }
    return spoken
  }
}
