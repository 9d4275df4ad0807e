import type { SeenAttendee } from '../../shared/seat.ts'
import { isHeard } from './is-heard.ts'
import { ALLOW_MS, type ToSeat } from './messages.ts'
import type { SeatDriver, Settlement, Urgency } from './seat-driver.ts'

/** More open microphones than these are muted by one call for all, even if it mutes somebody who may speak. */
const ONE_BY_ONE_MAX = 8

/**
 * Mutes all, and while Mute All holds, everybody who unmutes without leave. It decides at each change in the meeting and
 * not by timers, since browsers slow down the timers of a hidden page.
 */
export class MuteGuard {
  readonly #driver: SeatDriver
  readonly #onMutedAgain: (key: string) => void
  #lock = false
  /** The time of day of the console's last word, which is too old after a sleep. */
  #toldOn = 0
  #keys = new Set<string>()
  #isDue = false // Mute All has begun, and not yet muted anybody
  #isMutingAll = false
  /** Counts the ends of Mute All, which also end what it has begun. */
  #unlocks = 0
  #ordered = new Map<number, Urgency>()
  #seenMuted = new Set<number>()

  constructor(driver: SeatDriver, onMutedAgain: (key: string) => void) {
    this.#driver = driver
    this.#onMutedAgain = onMutedAgain
    driver.on('change', () => this.#guard())
    driver.on('state', () => this.#guard())
  }

  /** Nobody but the people of these keys, and hosts, may speak while the lock is on. */
  allow({ lock, keys, at }: Extract<ToSeat, { type: 'allow' }>): void {
    if (lock && !this.#lock) {
      this.#seenMuted.clear()
      this.#isDue = true
    }
    if (!lock && this.#lock) this.#unlocks++
    this.#lock = lock
    this.#toldOn = at
    this.#keys = new Set(keys)
    this.#guard()
  }

  /** Mutes everybody who may not speak, unless Mute All ends before their turn comes, or the order is dropped. */
  muteAll(isOrdered: () => boolean): Promise<Settlement> {
    return this.#muteEverybody(this.#untilUnlocked(isOrdered))
  }

  /** Mutes one person, unless Mute All ends before its turn comes, or the order is dropped. */
  mute(id: number, isOrdered: () => boolean): Promise<Settlement> {
    return this.#driver.mute(id, { isWanted: this.#untilUnlocked(isOrdered) })
  }

  /** Asks nobody while Mute All holds: whoever agreed would be muted again. */
  askAll(isOrdered: () => boolean): Promise<Settlement> {
    return this.#driver.askAll(() => isOrdered() && !this.#lock)
  }

  /** Mutes with one call if that silences nobody who may speak. */
  async #muteEverybody(isWanted: () => boolean): Promise<Settlement> {
    if (this.#driver.state.powers === 'none') return { outcome: 'refused' }
    const open = this.#open()
    if (open.length === 0) return { outcome: 'done' }
    const isSpared = this.#driver.people().some((person) => isHeard(person) && !this.#mustBeMuted(person))
    if (!isSpared || open.length > ONE_BY_ONE_MAX) {
      const settlement = await this.#driver.muteAll(isWanted)
      if (settlement.outcome !== 'timeout' && settlement.outcome !== 'dropped-by-zoom') return settlement
    }
    if (!isWanted()) return { outcome: 'refused' }
    const ids = new Set(open.map(({ zoom_user_id }) => zoom_user_id))
    const still = this.#open().filter(({ zoom_user_id }) => ids.has(zoom_user_id))
    const settlements = await Promise.all(still.map((person) => this.#muteOne(person, isWanted)))
    return settlements.find(({ outcome }) => outcome !== 'done' && outcome !== 'gone') ?? { outcome: 'done' }
  }

  #isLocked(): boolean {
    return this.#lock && Math.abs(Date.now() - this.#toldOn) <= ALLOW_MS
  }

  #guard(): void {
    if (!this.#isLocked() || !this.#hasPowers()) return
    const open = this.#open()
    if (this.#isDue || open.length > ONE_BY_ONE_MAX) void this.#muteAllOnce()
    for (const { zoom_user_id, muted } of this.#driver.people()) if (muted) this.#seenMuted.add(zoom_user_id)
    for (const person of open) void this.#muteAgain(person)
  }

  async #muteAllOnce(): Promise<void> {
    this.#isDue = false
    if (this.#isMutingAll) return
    this.#isMutingAll = true
    await this.#muteEverybody(() => this.#isLocked())
    this.#isMutingAll = false
  }

  async #muteAgain(person: SeenAttendee): Promise<void> {
    const { zoom_user_id: id, key } = person
    const urgency = this.#urgencyOf(person)
    const ordered = this.#ordered.get(id)
    if (ordered === urgency || ordered === 'voice') return
    const stage = this.#driver.muteStage(id)
    if (stage === 'sent' || (stage === 'waiting' && urgency !== 'voice')) return
    this.#ordered.set(id, urgency)
    const wasMuted = this.#seenMuted.has(id)
    const { outcome } = await this.#driver.mute(id, { urgency, isWanted: () => this.#isStillWanted(id) })
    if (ordered) return // the first order for this person counts it
    this.#ordered.delete(id)
    if (outcome === 'done' && wasMuted) this.#onMutedAgain(key)
    if (outcome !== 'refused' && outcome !== 'gone') this.#guard()
  }

  #untilUnlocked(isOrdered: () => boolean): () => boolean {
    const unlocks = this.#unlocks
    return () => this.#unlocks === unlocks && isOrdered()
  }

  #isStillWanted(id: number): boolean {
    const person = this.#driver.person(id)
    return this.#isLocked() && this.#hasPowers() && (!person || this.#mustBeMuted(person))
  }

  #muteOne(person: SeenAttendee, isWanted: () => boolean): Promise<Settlement> {
    return this.#driver.mute(person.zoom_user_id, { urgency: this.#urgencyOf(person), isWanted })
  }

  /** Lists those first who sound. */
  #open(): SeenAttendee[] {
    const open = this.#driver.people().filter((person) => isHeard(person) && this.#mustBeMuted(person))
    const isVoice = (person: SeenAttendee) => Number(this.#driver.isSpeaking(person.zoom_user_id))
    return open.toSorted((a, b) => isVoice(b) - isVoice(a))
  }

  #urgencyOf({ zoom_user_id }: SeenAttendee): Urgency {
    return this.#driver.isSpeaking(zoom_user_id) ? 'voice' : 'open'
  }

  #mustBeMuted({ key, is_host, is_co_host }: SeenAttendee): boolean {
    return !is_host && !is_co_host && !this.#keys.has(key)
  }

  #hasPowers(): boolean {
    const { connection, powers } = this.#driver.state
    return connection === 'in' && powers !== 'none'
  }
}
