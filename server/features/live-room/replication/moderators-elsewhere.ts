import { z } from 'zod'
import { ASSISTANTS_MAX } from '../../../../shared/assistants.ts'
import { Moderator } from '../../../../shared/moderators.ts'

/** Milliseconds after which a server that no longer tells who moderates there is taken to have none. */
export const MODERATORS_EXPIRY_MS = 15_000

/** The most is the host and its assistants. */
const Told = z.object({ at: z.number(), moderators: z.array(Moderator).max(ASSISTANTS_MAX + 1) })

/** Encodes the people who moderate at this server. */
export const encodeModerators = (moderators: readonly Moderator[], at: number) => JSON.stringify({ at, moderators })

/** The moderators of one room at other servers. A list counts only if it is later than the one before: none is replayed. */
export class ModeratorsElsewhere {
  readonly #told = new Map<string, { at: number; heardAt: number; moderators: Moderator[] }>()

  /** Throws for a text that no server of this release has written. */
  hear(server: string, text: string): void {
    const { at, moderators } = Told.parse(JSON.parse(text))
    if (at > (this.#told.get(server)?.at ?? 0)) this.#told.set(server, { at, heardAt: performance.now(), moderators })
  }

  /** Takes every server but these to have no consoles any more. */
  keep(servers: ReadonlySet<string>): void {
    for (const [server, told] of this.#told) if (!servers.has(server)) told.moderators = []
  }

  list(): Moderator[] {
    const from = performance.now() - MODERATORS_EXPIRY_MS
    return [...this.#told.values()].flatMap(({ heardAt, moderators }) => (heardAt > from ? moderators : []))
  }
}
