/** Milliseconds: shorter silences are no call, and end no speech. */
const BLIP_MS = 1_500

/**
 * The microphone that Zoom's program uses. Zoom opens and closes it with `enabled` on its tracks. While held, the
 * tracks are closed regardless; Zoom's last setting takes effect on release. The phone's system may silence it too, for
 * a call or another app, without closing it.
 */
export class HeldMicrophone {
  #isHeld = false
  readonly #wanted = new WeakMap<MediaStreamTrack, boolean>()
  /** The tracks that have not ended; Zoom requests new ones all the time. */
  readonly #tracks = new Set<MediaStreamTrack>()
  readonly #onSilenced: (isSilenced: boolean) => void
  #isSilenced = false // by the system
  #pause: ReturnType<typeof setTimeout> | undefined

  constructor(onSilenced: (isSilenced: boolean) => void = () => {}) {
    this.#onSilenced = onSilenced
  }

  get isSilenced(): boolean {
    return this.#isSilenced
  }

  hold(): void {
    this.#isHeld = true
    this.#applyAll()
  }

  release(): void {
    this.#isHeld = false
    this.#applyAll()
  }

  /** Clones of the stream and of its tracks count as the same microphone. */
  take(stream: MediaStream, isWanted = isOpen(stream)): MediaStream {
    for (const track of stream.getAudioTracks()) this.#take(track, isWanted)
    const clone = stream.clone.bind(stream)
    stream.clone = () => this.take(clone(), isOpen(stream))
    return stream
  }

  #take(track: MediaStreamTrack, isWanted: boolean): MediaStreamTrack {
    this.#wanted.set(track, isWanted)
    this.#keepUntilItEnds(track)
    Object.defineProperty(track, 'enabled', {
      get: () => this.#wanted.get(track),
      set: (enabled) => {
        this.#wanted.set(track, Boolean(enabled))
        this.#apply(track)
      },
    })
    const clone = track.clone.bind(track)
    track.clone = () => this.#take(clone(), track.enabled)
    this.#apply(track)
    return track
  }

  /** A track that the page stops itself fires no `ended` event. */
  #keepUntilItEnds(track: MediaStreamTrack) {
    const forget = () => {
      this.#tracks.delete(track)
      this.#checkSilence()
    }
    this.#tracks.add(track)
    this.#checkSilence()
    track.addEventListener('mute', () => this.#checkSilence())
    track.addEventListener('unmute', () => this.#checkSilence())
    track.addEventListener('ended', forget)
    const stop = track.stop.bind(track)
    track.stop = () => {
      stop()
      forget()
    }
  }

  /** On an iPhone a new track silences the former, so a single one that is not silent is enough. */
  #checkSilence() {
    clearTimeout(this.#pause)
    const isSilenced = this.#tracks.size > 0 && [...this.#tracks].every(({ muted }) => muted)
    if (isSilenced === this.#isSilenced) return
    if (isSilenced) this.#pause = setTimeout(() => this.#setSilenced(true), BLIP_MS)
    else this.#setSilenced(false)
  }

  #setSilenced(isSilenced: boolean) {
    this.#isSilenced = isSilenced
    this.#onSilenced(isSilenced)
  }

  #applyAll() {
    for (const track of this.#tracks) this.#apply(track)
  }

  #apply(track: MediaStreamTrack) {
    const enabled = !this.#isHeld && this.#wanted.get(track) === true
    Reflect.set(Object.getPrototypeOf(track), 'enabled', enabled, track) // the browser's own, which the above shadows
  }
}

const isOpen = (stream: MediaStream) => stream.getAudioTracks().some(({ enabled }) => enabled)
