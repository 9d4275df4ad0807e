import type { LiveRoomOptions } from './live-room.ts'
import type { RoomLog } from './replication/room-log.ts'
import type { RoomState } from './state/room-state.ts'

type Options = Pick<LiveRoomOptions, 'now' | 'times' | 'onFault'>

/**
 * Batches events. Voice changes go out 60 ms after the first; the first acknowledgement goes out at once, later ones
 * every 20 ms; confirmations
 * of words every half second.
 */
export class FlushTimers {
  readonly #log: RoomLog
  readonly #options: Options
  #voice: NodeJS.Timeout | null = null
  #acks: NodeJS.Timeout | null = null
  #acksFlushedAt = -Infinity
  #words: NodeJS.Timeout | null = null

  constructor(log: RoomLog, options: Options) {
    this.#log = log
    this.#options = options
  }

  /** Call after each change that this server appended. */
  start({ isDirty, hasUnpublishedAcks, hasUnpublishedConfirmations }: RoomState): void {
    const { now, times, onFault } = this.#options
    if (isDirty)
      this.#voice ??= setTimeout(() => {
        this.#voice = null
        this.#log.append({ type: 'flush-voice' }).catch(onFault)
      }, times.mergeVoice)
    if (hasUnpublishedAcks)
      this.#acks ??= setTimeout(
        () => {
          this.#acks = null
          this.#acksFlushedAt = now()
          this.#log.append({ type: 'flush-acks' }).catch(onFault)
        },
        now() - this.#acksFlushedAt < times.mergeAcks ? times.mergeAcks : 0,
      )
    if (hasUnpublishedConfirmations)
      this.#words ??= setTimeout(() => {
        this.#words = null
        this.#log.append({ type: 'flush-words' }).catch(onFault)
      }, times.mergeConfirmations)
  }

  /** Publishes what a server that stopped has left unpublished. */
  async flushLeft({ isDirty, hasUnpublishedAcks, hasUnpublishedConfirmations }: RoomState): Promise<void> {
    if (isDirty && !this.#voice) await this.#log.append({ type: 'flush-voice' })
    if (hasUnpublishedAcks && !this.#acks) await this.#log.append({ type: 'flush-acks' })
    if (hasUnpublishedConfirmations && !this.#words) await this.#log.append({ type: 'flush-words' })
  }

  close(): void {
    if (this.#voice) clearTimeout(this.#voice)
    if (this.#acks) clearTimeout(this.#acks)
    if (this.#words) clearTimeout(this.#words)
  }
}
