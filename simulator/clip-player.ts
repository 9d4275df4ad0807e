import { readdirSync, readFileSync } from 'node:fs'
import type { PhoneState } from '../shared/phone/obey.ts'
import type { Random } from './random.ts'

type Speaking = {
  state: PhoneState
  on: (event: 'state', follow: () => void) => unknown
  off: (event: 'state', follow: () => void) => unknown
}

const FOLDER = new URL('speech/', import.meta.url)
let clips: Uint8Array<ArrayBuffer>[] | undefined

/** Reads the sentences that simulated people speak, once. */
export function readClips(): readonly Uint8Array<ArrayBuffer>[] {
  const names = readdirSync(FOLDER).filter((name) => name.endsWith('.ogg'))
  clips ??= names.toSorted().map((name) => new Uint8Array(readFileSync(new URL(name, FOLDER))))
  return clips
}

/** Plays clips into the meeting while the phone speaks. The emulator accepts them whole and plays them in real time. */
export class ClipPlayer {
  readonly #phone: Speaking
  readonly #url: string
  readonly #random: Random
  #playing: AbortController | null = null

  constructor(phone: Speaking, url: string, random: Random) {
    this.#phone = phone
    this.#url = url
    this.#random = random
    phone.on('state', this.#follow)
    this.#follow()
  }

  close() {
    this.#phone.off('state', this.#follow)
    this.#stop()
  }

  /** A muted phone aborts its request, which ends its sound. */
  #follow = () => {
    if (!this.#phone.state.is_speaking) this.#stop()
    else if (!this.#playing) void this.#speak()
  }

  #stop() {
    this.#playing?.abort()
    this.#playing = null
  }

  async #speak() {
    const playing = new AbortController()
    this.#playing = playing
    while (!playing.signal.aborted) {
      const played = await this.#play(playing.signal)
      if (!played) break
    }
    if (this.#playing === playing) this.#playing = null
  }

  /** Resolves with true if the clip was played to its end. */
  async #play(signal: AbortSignal): Promise<boolean> {
    const body = this.#random.pick(readClips())
    if (!body) return false
    const sent = { method: 'POST', headers: { 'content-type': 'audio/ogg' }, body, signal }
    return fetch(this.#url, sent).then(
      async (response) => {
        await response.arrayBuffer()
        return response.ok
      },
      () => false,
    )
  }
}
