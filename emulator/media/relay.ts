import type { OpusFrame, VoiceTrack } from './voice-track.ts'

/** Decibels below the maximum: speech is between 15 and 40, a quiet room below 60. */
const SPEECH_LEVEL = 50
const PAUSE_MS = 1000
const SPEAKERS_MS = 200

export type Listener = { voices: readonly VoiceTrack[] }

type RelayOptions = {
  now: () => number
  /** Called five times a second while someone speaks, never with an empty list: Zoom's client ignores empty ones. */
  onSpeakers: (speakers: string[]) => void
  mayHear: (listener: string) => boolean
}

/** Forwards the sound of the current speakers to everyone else in the meeting. */
export class Relay {
  readonly #options: RelayOptions
  readonly #listeners = new Map<string, Listener>()
  readonly #speakers = new Map<string, number>() // the time of each one's last speech
  #timer: NodeJS.Timeout | undefined

  constructor(options: RelayOptions) {
    this.#options = options
  }

  addListener(id: string, listener: Listener) {
    this.#listeners.set(id, listener)
  }

  removeListener(id: string) {
    this.#listeners.delete(id)
  }

  /** Only speech occupies a voice of a listener; a short pause keeps it. Returns true if the frame was forwarded. */
  forward(speaker: string, frame: OpusFrame): boolean {
    const now = this.#options.now()
    if (frame.level === null || frame.level <= SPEECH_LEVEL) this.#speakers.set(speaker, now)
    if (!this.#speakers.has(speaker)) return false
    this.#timer ??= setInterval(() => this.#tick(), SPEAKERS_MS).unref()
    for (const [id, { voices }] of this.#listeners) {
      if (id !== speaker && this.#options.mayHear(id)) voiceFor(voices, speaker)?.write(frame)
    }
    return true
  }

  /** Stops forwarding this speaker. */
  silence(speaker: string) {
    if (!this.#speakers.delete(speaker)) return
    for (const { voices } of this.#listeners.values()) {
      for (const voice of voices) if (voice.speaker === speaker) voice.free()
    }
    if (this.#speakers.size === 0) this.#tick()
  }

  close() {
    clearInterval(this.#timer)
    this.#speakers.clear()
    this.#listeners.clear()
  }

  #tick() {
    const now = this.#options.now()
    for (const [speaker, at] of [...this.#speakers]) {
      if (now - at >= PAUSE_MS) this.silence(speaker)
    }
    if (this.#speakers.size > 0) return this.#options.onSpeakers([...this.#speakers.keys()])
    clearInterval(this.#timer)
    this.#timer = undefined
  }
}

/** While all voices are taken, a new speaker is not heard until one is free. */
function voiceFor(voices: readonly VoiceTrack[], speaker: string): VoiceTrack | undefined {
  const held = voices.find((voice) => voice.speaker === speaker)
  if (held) return held
  const free = voices.find((voice) => voice.speaker === null)
  free?.give(speaker)
  return free
}
