import { type QueueOrder, sortQueue } from '../../../../shared/queue-order.ts'
import { newParticipant, type Participant } from './participant.ts'
import type { RosterEntry } from './roster.ts'

/** All users of a room, online or not, and the host's own phone. */
export class Participants {
  readonly #byId = new Map<string, Participant>()
  #users: readonly Participant[] | null = null

  constructor(participants: Iterable<Participant>) {
    for (const participant of participants) this.#byId.set(participant.roster.id, participant)
  }

  get(id: string): Participant | undefined {
    return this.#byId.get(id)
  }

  all(): Iterable<Participant> {
    return this.#byId.values()
  }

  /** Excludes the host's own phone. Returns the same array until a user is added or removed. */
  users(): readonly Participant[] {
    this.#users ??= [...this.#byId.values()].filter((one) => !one.isHost)
    return this.#users
  }

  online(): Participant[] {
    return this.users().filter((one) => one.is_online)
  }

  /** Lists the raised hands of online users, the next to speak first. */
  queue(order: QueueOrder): Participant[] {
    const hands = this.users().filter((one) => one.is_online && one.wants_to_speak)
    return sortQueue(hands, order, ({ roster, wants_to_speak_at, spoken }) => ({
      id: roster.id,
      raised_at: wants_to_speak_at ?? 0,
      spoken_ms: spoken?.ms ?? 0,
      turns_taken: spoken?.turns ?? 0,
    }))
  }

  counts(): { total: number; online: number; muted: number } {
    const users = this.users()
    let [online, muted] = [0, 0]
    for (const { is_online, roster } of users) {
      if (is_online) online++
      if (roster.is_muted) muted++
    }
    return { total: users.length, online, muted }
  }

  /** Returns the online users, and when each of the others was last seen. */
  attendance(): { online: RosterEntry[]; lastSeen: Map<string, Date | null> } {
    const offline = this.users().filter((one) => !one.is_online)
    return {
      online: this.online().map(({ roster }) => roster),
      lastSeen: new Map(offline.map(({ roster }) => [roster.id, roster.last_seen])),
    }
  }

  find(ids: string[]): Participant[] {
    return ids.flatMap((id) => this.#byId.get(id) ?? [])
  }

  findUsers(ids: string[]): Participant[] {
    return this.find(ids).filter((one) => !one.isHost)
  }

  /** Marks exactly these as in Zoom's meeting. */
  setInMeeting(ids: ReadonlySet<string>): void {
    for (const [id, participant] of this.#byId) participant.in_meeting = ids.has(id)
  }

  upsert(entry: RosterEntry): void {
    const known = this.#byId.get(entry.id)
    const is_pinned = entry.is_pinned ?? known?.roster.is_pinned ?? false
    const group_ids = entry.group_ids ?? known?.roster.group_ids ?? []
    if (known) known.roster = { ...entry, is_pinned, group_ids, ...laterThanRow(entry, known.roster) }
    else this.#byId.set(entry.id, newParticipant({ ...entry, is_pinned, group_ids }))
    this.#users = null
  }

  /** Takes users out of all other groups, which are deleted. */
  keepGroups(ids: ReadonlySet<string>): void {
    for (const participant of this.#byId.values()) {
      const { group_ids = [] } = participant.roster
      if (group_ids.every((id) => ids.has(id))) continue
      participant.roster = { ...participant.roster, group_ids: group_ids.filter((id) => ids.has(id)) }
    }
  }

  remove(id: string): void {
    this.#byId.delete(id)
    this.#users = null
  }
}

/** Keeps what is newer in memory than in the row: a later heartbeat, and a mute that came with Mute All. */
function laterThanRow(entry: RosterEntry, known: RosterEntry) {
  return { is_muted: known.is_muted, last_seen: latest(entry.last_seen, known.last_seen) }
}

function latest(a: Date | null, b: Date | null): Date | null {
  return a && b ? (a > b ? a : b) : (a ?? b)
}
