/** So much of voices on phones, of whom Zoom names none, shows that it names no speakers to this page. */
const UNNAMED_MS = 60_000
/** After a longer gap between two ticks the page has slept, and knows nothing of the time between. */
const TICK_MAX_MS = 2_500

/** Finds out whether the seat sees who speaks: phones of Parley's app report voices too. */
export class VoiceWatch {
  readonly #voices = new Set<string>()
  #unnamedMs = 0
  #isNamed = false
  #tickedAt = Number.NEGATIVE_INFINITY

  /** Call with each joining, since Zoom may name speakers to one and not to another. */
  start() {
    this.#unnamedMs = 0
    this.#isNamed = false
  }

  setVoice(userId: string, isSpeaking: boolean) {
    if (isSpeaking) this.#voices.add(userId)
    else this.#voices.delete(userId)
  }

  forgetVoices() {
    this.#voices.clear()
  }

  noteNamed() {
    this.#isNamed = true
  }

  /** Call about once a second. */
  tick(isInMeeting: boolean) {
    const now = performance.now()
    const sinceLast = now - this.#tickedAt
    this.#tickedAt = now
    if (isInMeeting && this.#voices.size > 0 && sinceLast <= TICK_MAX_MS) this.#unnamedMs += sinceLast
  }

  get isDeaf(): boolean {
    return !this.#isNamed && this.#unnamedMs >= UNNAMED_MS
  }
}
