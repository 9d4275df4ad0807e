import type { LiveRoomOptions } from './live-room.ts'
import type { RoomLog } from './room-log.ts'
import type { RoomState } from './room-state.ts'

type Options = Pick<LiveRoomOptions, 'now' | 'times' | 'onFault'>

/**
 * Publishes together what many phones report: who speaks, a moment after the first change; acknowledgements, one that is
 * alone at once, and of a crowd the first and then the others.
 */
export class FlushTimers {
  readonly #log: RoomLog
  readonly #options: Options
  #voice: NodeJS.Timeout | null = null
  #acks: NodeJS.Timeout | null = null
  #acksFlushedAt = -Infinity

  constructor(log: RoomLog, options: Options) {
    this.#log = log
    this.#options = options
  }

  /** After a change that was appended here. */
  start({ isDirty, hasUnpublishedAcks }: RoomState): void {
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
  }

  /** What a server has left that stopped. */
  async flushLeft({ isDirty, hasUnpublishedAcks }: RoomState): Promise<void> {
    if (isDirty && !this.#voice) await this.#log.append({ type: 'flush-voice' })
    if (hasUnpublishedAcks && !this.#acks) await this.#log.append({ type: 'flush-acks' })
  }

  close(): void {
    if (this.#voice) clearTimeout(this.#voice)
    if (this.#acks) clearTimeout(this.#acks)
  }
}
