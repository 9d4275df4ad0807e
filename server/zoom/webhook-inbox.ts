import type { Deps } from '../deps.ts'
import { NotReadable, type Work } from './webhook-event.ts'
import {
  bodyOf,
  claimEvent,
  finishEvent,
  type KeptEvent,
  keepEvent,
  putOff,
  releaseOfTheDead,
} from './webhook-inbox-rows.ts'
import { readWebhook, type ZoomWebhook } from './webhook-schemas.ts'

/** What was put off, or left behind by another node, is looked for this often. */
const LOOK_MS = 5_000

/**
 * What Zoom has told us: kept before it is answered, worked on afterwards, one event after the other. An event whose
 * work fails is tried again; one that arrived just before the process died is there at the next start.
 */
export class ZoomInbox {
  static readonly #ofDeps = new WeakMap<Deps, ZoomInbox>()
  readonly #deps: Deps
  readonly #workOn: Work
  #timer: NodeJS.Timeout | null = null
  #working: Promise<void> = Promise.resolve()
  #isWorking = false
  #isAsked = false
  #isClosing = false

  constructor(deps: Deps, workOn: Work) {
    this.#deps = deps
    this.#workOn = workOn
    if (!ZoomInbox.#ofDeps.has(deps)) ZoomInbox.#ofDeps.set(deps, this)
  }

  /** Until what was kept is worked on and shown; an event's row is done a moment before the rooms show its effect. */
  static async idle(deps: Deps): Promise<void> {
    const inbox = ZoomInbox.#ofDeps.get(deps)
    if (inbox) await inbox.#working
  }

  async start(): Promise<void> {
    await releaseOfTheDead(this.#deps)
    this.#timer = setInterval(() => this.#wake(), LOOK_MS).unref()
    this.#wake()
  }

  /** After this Zoom may be told that we have it. Returns whether it came for the first time. */
  async keep(body: Buffer, webhook: ZoomWebhook): Promise<boolean> {
    const isNew = await keepEvent(this.#deps, body, webhook)
    this.#wake()
    return isNew
  }

  /** Waits for the event that is worked on now; the others stay for the next start. */
  async close(): Promise<void> {
    this.#isClosing = true
    if (this.#timer) clearInterval(this.#timer)
    await this.#working
  }

  #wake(): void {
    this.#isAsked = true
    if (this.#isWorking || this.#isClosing) return
    this.#isWorking = true
    this.#working = this.#workOff()
  }

  async #workOff(): Promise<void> {
    while (this.#isAsked && !this.#isClosing) {
      this.#isAsked = false
      try {
        while (!this.#isClosing && (await this.#workOnNext()));
      } catch (err) {
        this.#deps.log.error({ err }, "Zoom's events cannot be worked on now; it is tried again")
      }
    }
    this.#isWorking = false
  }

  async #workOnNext(): Promise<boolean> {
    const kept = await claimEvent(this.#deps)
    if (!kept) return false
    const { event, attempts } = kept
    try {
      const afterwards = await this.#takeEffect(kept)
      await afterwards?.()
    } catch (err) {
      const isHopeless = err instanceof NotReadable
      this.#deps.log.error({ err, event, attempts }, "Working on one of Zoom's events failed")
      await putOff(this.#deps, kept, String(err).slice(0, 500), isHopeless)
    }
    return true
  }

  /** The effects and the mark that they are done stand or fall together. */
  async #takeEffect(kept: KeptEvent): Promise<(() => Promise<void>) | undefined> {
    const webhook = readWebhook(bodyOf(this.#deps, kept))
    if (!webhook) throw new NotReadable('This is not an event')
    const { payload } = webhook
    return this.#deps.db.transaction().execute(async (tx) => {
      const told = { event: kept.event, at: kept.told_at, account_id: kept.zoom_account_id ?? '', payload }
      const { host_id, afterwards } = await this.#workOn(this.#deps, tx, told)
      await finishEvent(this.#deps, tx, kept, host_id)
      return afterwards
    })
  }
}
