import type { PhoneAudio } from '../../../../shared/mobile.ts'
import { normaliseForComparison, visibleForm } from '../../../../shared/normalise.ts'
import type { Attendee } from '../../../../shared/seat.ts'
import { withDashes } from '../../../lib/uuid.ts'
import type { Participant } from './participant.ts'
import type { Participants } from './participants.ts'
import type { KnownAttendee, SeatState } from './seat-state.ts'

/** Names that are shown alike are compared alike. */
export const foldName = (name: string) => visibleForm(normaliseForComparison(name))

type Match = Pick<Attendee, 'user_id' | 'by'>

/** The states in which a phone is in the meeting by its own word. */
const IN_MEETING: readonly PhoneAudio[] = ['ready', 'on', 'blocked', 'lost']
const NO_MATCH: Match = { user_id: null, by: null }

/** Finds which of the room's users is whom in the Zoom meeting. */
export class AttendeeMatches {
  /** The ids of users by folded name, of one list of users. */
  #byName: { users: readonly Participant[]; ids: Map<string, string[]> } | null = null

  /** The folded names of those who were listed last, since folding one can take 0.1 ms. */
  #folded = new Map<string, string>()

  /** Lists the attendees as consoles see them. `links` are the names by which the host has users recognised. */
  list(seat: SeatState, participants: Participants, links: ReadonlyMap<string, string>): Attendee[] {
    const known = [...seat.attendees.values()]
    const inByKey = new Set<string>()
    const twice = new Set<string>()
    for (const one of known) {
      const id = userByKey(one, participants)
      if (id !== null) (inByKey.has(id) ? twice : inByKey).add(id)
    }
    const byName = this.#idsByName(participants)
    const fold = this.#foldOnce(known)
    return known.map((one) => {
      const { joinedAt, ...seen } = one
      const match = matchOf(one, participants, (name) => links.get(fold(name)))
      const isFree = match.user_id === null && seen.customer_key === null && !seen.is_self
      return {
        ...seen,
        ...match,
        suggestion: isFree ? onlyFree(byName.get(fold(seen.name)), inByKey) : null,
        is_allowed:
          seat.allowed.has(one.key) ||
          (match.user_id !== null && !twice.has(match.user_id) && mayBeHeard(match, participants)),
        joined_at: new Date(joinedAt).toISOString(),
      }
    })
  }

  #foldOnce(known: readonly KnownAttendee[]): (name: string) => string {
    const before = this.#folded
    this.#folded = new Map(known.map(({ name }) => [name, before.get(name) ?? foldName(name)]))
    return (name) => this.#folded.get(name) ?? foldName(name)
  }

  #idsByName(participants: Participants): Map<string, string[]> {
    const users = participants.users()
    if (this.#byName?.users === users) return this.#byName.ids
    const ids = new Map<string, string[]>()
    for (const { roster } of users) {
      const name = foldName(roster.username)
      ids.set(name, [...(ids.get(name) ?? []), roster.id])
    }
    this.#byName = { users, ids }
    return ids
  }
}

/** Lists the users who speak in Zoom and are recognised by a name. */
export function speakersByName(
  seat: SeatState,
  participants: Participants,
  links: ReadonlyMap<string, string>,
): string[] {
  return seat.speaking.flatMap((key) => {
    const one = seat.attendees.get(key)
    const match = one ? matchOf(one, participants, (name) => links.get(foldName(name))) : NO_MATCH
    return match.by === 'name' && match.user_id !== null ? [match.user_id] : []
  })
}

/** Returns the user that joined with its own key; null for anybody else, such as the host's own phone. */
function userByKey({ customer_key }: KnownAttendee, participants: Participants): string | null {
  if (customer_key === null) return null
  const user = participants.get(withDashes(customer_key))
  return user && !user.isHost && user.roster.is_active ? user.roster.id : null
}

function matchOf(
  one: KnownAttendee,
  participants: Participants,
  linkedTo: (name: string) => string | undefined,
): Match {
  const byKey = userByKey(one, participants)
  if (byKey !== null) return { user_id: byKey, by: 'key' }
  if (one.customer_key !== null || one.is_self) return NO_MATCH
  const linked = one.linkedTo === undefined ? linkedTo(one.name) : one.linkedTo
  return linked && participants.get(linked) ? { user_id: linked, by: 'name' } : NO_MATCH
}

function onlyFree(ids: string[] | undefined, inByKey: ReadonlySet<string>): string | null {
  const [only, another] = ids ?? []
  return only !== undefined && another === undefined && !inByKey.has(only) ? only : null
}

/**
 * A name gives no right: anybody may take any. A key is known to all phones of the room, so it gives one only while the
 * user's own phone has joined the sound: somebody who has taken the key then shows as a second attendee.
 */
function mayBeHeard({ by, user_id }: Match, participants: Participants): boolean {
  const user = by === 'key' && user_id !== null ? participants.get(user_id) : undefined
  if (!user?.is_online || user.roster.is_muted) return false
  return user.audio === null || IN_MEETING.includes(user.audio)
}
