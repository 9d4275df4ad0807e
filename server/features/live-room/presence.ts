import type { RoomLog } from './replication/room-log.ts'
import type { RoomTimes } from './room-times.ts'
import { changesParticipant, type Participant, type PhoneStatus, type StatusReport } from './state/participant.ts'
import type { Participants } from './state/participants.ts'
import type { RoomChange } from './state/room-change.ts'

const SECOND_MS = 1_000
/** A phone that is asleep does not speak, but its microphone may be open. */
const SPEECH: PhoneStatus = { is_speaking: false }
/** The limit for one phone. */
const CHANGES_A_SECOND = 20

interface PresenceOptions {
  log: RoomLog
  find: (id: string) => Participant | undefined
  now: () => number
  onFault: (error: unknown) => void
}

/** Applies status reports. Heartbeats are too frequent for the log: `sweep` appends a change when presence changes. */
export class Presence {
  readonly #options: PresenceOptions
  /** The last heartbeat at any server, as far as this one knows. */
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

  /**
   * Skips the log for most reports, which are heartbeats that change nothing. A phone that has just left at another
   * server may still be online here.
   */
  async report(participant: Participant, report: StatusReport, rejoined = false): Promise<void> {
    const { id } = participant.roster
    const at = this.#options.now()
    const { log } = this.#options
    this.#note(id, at)
    this.#seenHereAt.set(id, at)
    log.seen(id)
    const mayBeBack = rejoined && this.#throttle.admits(id, report)
    if (!participant.is_online || mayBeBack) await log.append({ type: 'online', id, at })
    if (this.#mustApply(participant, report) && this.#throttle.admits(id, report))
      await this.#apply(participant, at, report)
  }

  forget(id: string): void {
    this.#seenAt.delete(id)
    this.#seenHereAt.delete(id)
  }

  /** Restarts all leases: a server out of step does not know whether phones have reported to another one. */
  renewLeases(): void {
    this.#leasesFrom = this.#options.now()
  }

  /** True if the phone's last heartbeat came to this server. */
  isFromHere(id: string): boolean {
    return this.#seenHereAt.has(id) && this.#seenHereAt.get(id) === this.#seenAt.get(id)
  }

  /** Takes silent phones offline or marks them asleep. Returns how many went offline. */
  async sweep(participants: Participants, at: number, times: RoomTimes): Promise<number> {
    await this.#checkElsewhere(participants, at - times.asleep)
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
      await this.#end(silent, SPEECH)
    }
    if (offline.length > 0) await log.appendOffline(offline)
    return offline.length
  }

  close(): void {
    this.#throttle.close()
  }

  /** Call when a phone has signed itself out or reported that it leaves. */
  left(id: string): void {
    this.#seenHereAt.delete(id)
  }

  /** Closes the microphones of phones that have left the meeting. One that is still open is reported again. */
  async closeMicrophones(ids: string[]): Promise<void> {
    await this.#end(ids, { ...SPEECH, speaker_on: false })
  }

  /** Republishes what phones reported here to a room that may not know it. */
  async republish(participants: Participant[]): Promise<void> {
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
        if (changesParticipant(participant, status)) changes.push({ type: 'status', id, at, status })
      } else if (participant.is_online) offline.push({ id, at, silentMs: now() - at })
    }
    const appended = changes.map((change) => log.append(change))
    if (offline.length > 0) appended.push(log.appendOffline(offline))
    await Promise.all(appended)
  }

  async #end(ids: string[], status: PhoneStatus): Promise<void> {
    const { log, find, now } = this.#options
    for (const id of ids) {
      const participant = find(id)
      if (participant && changesParticipant(participant, status))
        await log.append({ type: 'status', id, at: now(), status })
    }
  }

  #note(id: string, at: number): void {
    if (at > (this.#seenAt.get(id) ?? 0)) this.#seenAt.set(id, at)
  }

  /** Reads the heartbeats at other servers, for phones that are silent here. */
  async #checkElsewhere(participants: Participants, since: number): Promise<void> {
    const silent: string[] = []
    for (const { roster, is_online } of participants.all())
      if (is_online && (this.#seenAt.get(roster.id) ?? 0) < since) silent.push(roster.id)
    if (silent.length === 0) return
    const { log, now } = this.#options
    for (const [id, ms] of await log.silenceOf(silent)) this.#note(id, now() - ms)
  }

  /** True if the report changes something, or has to follow one that the throttle holds back. */
  #mustApply(participant: Participant, report: StatusReport): boolean {
    const isAsleep = report.awake === false
    if (isAsleep !== participant.is_asleep || changesParticipant(participant, report)) return true
    return this.#throttle.isHolding(participant.roster.id)
  }

  async #apply(participant: Participant, at: number, { awake = true, ...status }: StatusReport): Promise<void> {
    const { log } = this.#options
    const { id } = participant.roster
    if (participant.is_asleep === awake) await log.append({ type: awake ? 'awake' : 'asleep', ids: [id] })
    const reported = awake ? status : { ...status, is_speaking: false }
    if (changesParticipant(participant, reported)) await log.append({ type: 'status', id, at, status: reported })
  }
}

/** Merges the reports of a phone beyond the limit, and releases the last state at the end of the second. */
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

  /** Returns true if the report may be applied at once; otherwise it is held back. */
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
