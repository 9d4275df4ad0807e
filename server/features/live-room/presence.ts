import { type Participant, type StatusReport, wouldChange } from './participant.ts'
import type { Participants } from './participants.ts'
import type { RoomChange } from './room-change.ts'
import type { RoomLog } from './room-log.ts'
import type { RoomTimes } from './room-times.ts'

const SECOND_MS = 1_000
/** By phone. */
const CHANGES_A_SECOND = 20

interface PresenceOptions {
  log: RoomLog
  find: (id: string) => Participant | undefined
  now: () => number
  onFault: (error: unknown) => void
}

/** What the phones report. Their signs of life are too frequent to be changes of the room: a sweep turns them into such. */
export class Presence {
  readonly #options: PresenceOptions
  /** At any server, as far as this one knows. */
  readonly #seenAt = new Map<string, number>()
  readonly #seenHereAt = new Map<string, number>()
  #leasesFrom = 0
  readonly #throttle: StatusThrottle

  constructor(options: PresenceOptions) {
    this.#options = options
    this.#throttle = new StatusThrottle((id, rest) => {
      const participant = options.find(id)
      if (participant?.is_online) this.#apply(participant, options.now(), rest).catch(options.onFault)
    })
  }

  /** Most reports are heartbeats that change nothing. */
  async report(participant: Participant, report: StatusReport): Promise<void> {
    const { id } = participant.roster
    const at = this.#options.now()
    const { log } = this.#options
    this.#note(id, at)
    this.#seenHereAt.set(id, at)
    log.seen(id)
    if (!participant.is_online) await log.append({ type: 'online', id, at })
    if (this.#isNews(participant, report) && this.#throttle.admits(id, report))
      await this.#apply(participant, at, report)
  }

  forget(id: string): void {
    this.#seenAt.delete(id)
    this.#seenHereAt.delete(id)
  }

  /** A server that is alone from now on does not know whether phones have been in touch with another one. */
  renewLeases(): void {
    this.#leasesFrom = this.#options.now()
  }

  /** Whether its last sign of life came to this server. */
  isFromHere(id: string): boolean {
    return this.#seenHereAt.has(id) && this.#seenHereAt.get(id) === this.#seenAt.get(id)
  }

  /** Takes silent phones offline, or to sleep. Returns how many went offline. */
  async sweep(participants: Participants, at: number, times: RoomTimes): Promise<number> {
    await this.#askElsewhere(participants, at - times.asleep)
    const offline: { id: string; at: number; silentMs: number }[] = []
    const silent: string[] = []
    const outdated: { id: string; at: number }[] = []
    for (const { roster, is_online, is_asleep } of participants.all()) {
      if (!is_online) continue
      const { id } = roster
      if (!this.#seenAt.has(id)) this.#note(id, at) // it was online when this server joined
      const seenAt = Math.max(this.#seenAt.get(id) ?? at, this.#leasesFrom)
      const shown = roster.last_seen?.getTime() ?? 0
      if (seenAt < at - times.lease) offline.push({ id, at: seenAt, silentMs: at - seenAt })
      else if (!is_asleep && seenAt < at - times.asleep) silent.push(id)
      if (shown < at - times.lastSeen && shown < seenAt && this.isFromHere(id)) outdated.push({ id, at: seenAt })
    }
    const { log } = this.#options
    if (outdated.length > 0) await log.append({ type: 'last-seen', users: outdated })
    if (silent.length > 0) {
      await log.append({ type: 'asleep', ids: silent })
      await this.hush(silent)
    }
    if (offline.length > 0) await log.appendOffline(offline)
    return offline.length
  }

  close(): void {
    this.#throttle.close()
  }

  /** A phone signed itself out, or said that it leaves. */
  left(id: string): void {
    this.#seenHereAt.delete(id)
  }

  /** Whoever sleeps, or is out of the meeting, is not heard. A phone that is heard all the same says so again. */
  async hush(ids: string[]): Promise<void> {
    const { log, find, now } = this.#options
    for (const id of ids)
      if (find(id)?.is_speaking) await log.append({ type: 'status', id, at: now(), status: { is_speaking: false } })
  }

  /** Says what phones reported here to a room that may not know it. */
  async repeat(participants: Participant[]): Promise<void> {
    const { log, find, now } = this.#options
    const changes: RoomChange[] = []
    const offline: { id: string; at: number; silentMs: number }[] = []
    for (const one of participants) {
      const { roster, is_online, is_asleep, is_speaking, speaker_on, wants_to_speak, audio, zoom_code, microphone } =
        one
      const { id } = roster
      const at = this.#seenHereAt.get(id)
      const participant = find(id)
      if (at === undefined || !participant || !this.isFromHere(id)) continue
      if (is_online) {
        const status = {
          is_speaking,
          speaker_on,
          wants_to_speak,
          ...(audio && { audio, zoom_code }),
          ...(microphone && { microphone }),
        }
        if (!participant.is_online) changes.push({ type: 'online', id, at })
        if (is_asleep !== participant.is_asleep) changes.push({ type: is_asleep ? 'asleep' : 'awake', ids: [id] })
        if (wouldChange(participant, status)) changes.push({ type: 'status', id, at, status })
      } else if (participant.is_online) offline.push({ id, at, silentMs: now() - at })
    }
    const appended = changes.map((change) => log.append(change))
    if (offline.length > 0) appended.push(log.appendOffline(offline))
    await Promise.all(appended)
  }

  #note(id: string, at: number): void {
    if (at > (this.#seenAt.get(id) ?? 0)) this.#seenAt.set(id, at)
  }

  /** Phones that are silent here may be in touch with another server. */
  async #askElsewhere(participants: Participants, since: number): Promise<void> {
    const silent: string[] = []
    for (const { roster, is_online } of participants.all())
      if (is_online && (this.#seenAt.get(roster.id) ?? 0) < since) silent.push(roster.id)
    if (silent.length === 0) return
    const { log, now } = this.#options
    for (const [id, ms] of await log.silenceOf(silent)) this.#note(id, now() - ms)
  }

  /** While the throttle holds a report back, later ones must follow it. */
  #isNews(participant: Participant, report: StatusReport): boolean {
    const isAsleep = report.awake === false
    if (isAsleep !== participant.is_asleep || wouldChange(participant, report)) return true
    return this.#throttle.isHolding(participant.roster.id)
  }

  async #apply(participant: Participant, at: number, { awake = true, ...status }: StatusReport): Promise<void> {
    const { log } = this.#options
    const { id } = participant.roster
    if (participant.is_asleep === awake) await log.append({ type: awake ? 'awake' : 'asleep', ids: [id] })
    const said = awake ? status : { ...status, is_speaking: false }
    if (wouldChange(participant, said)) await log.append({ type: 'status', id, at, status: said })
  }
}

/** Merges what a phone changes more often than that, and releases the last of it at the end of the second. */
class StatusThrottle {
  readonly #release: (id: string, rest: StatusReport) => void
  readonly #thisSecond = new Map<string, { count: number; rest: StatusReport | null }>()
  #timer: NodeJS.Timeout | null = null

  constructor(release: (id: string, rest: StatusReport) => void) {
    this.#release = release
  }

  isHolding(id: string): boolean {
    return Boolean(this.#thisSecond.get(id)?.rest)
  }

  /** Returns whether this may be applied at once; otherwise it is held back. */
  admits(id: string, report: StatusReport): boolean {
    this.#timer ??= setTimeout(() => this.#endSecond(), SECOND_MS)
    const phone = this.#thisSecond.get(id) ?? { count: 0, rest: null }
    this.#thisSecond.set(id, phone)
    if (phone.count++ < CHANGES_A_SECOND) return true
    phone.rest = { ...phone.rest, awake: true, ...report }
    return false
  }

  close(): void {
    if (this.#timer) clearTimeout(this.#timer)
  }

  #endSecond(): void {
    this.#timer = null
    const phones = [...this.#thisSecond]
    this.#thisSecond.clear()
    for (const [id, { rest }] of phones) if (rest) this.#release(id, rest)
  }
}
