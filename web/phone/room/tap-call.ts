import type { SoundState } from '../../meeting/meeting-audio.ts'
import { mustTapJoinAudio } from './own-state.ts'

/** Calls a person back to the phone when nothing is heard before a tap, and they may be looking elsewhere. */
export class TapCall {
  #isUnwatched = false // since the last tap there was sound, or something to wait for
  #hasCalled = false

  /** The person has just asked for the sound, and looks at the screen. */
  tapped() {
    this.#isUnwatched = false
    this.#hasCalled = false
  }

  /** Returns whether a tap is awaited, and whether that is news. */
  see(sound: SoundState): { isAwaited: boolean; isNews: boolean } {
    if (sound.audio === 'on') this.#hasCalled = false
    if (sound.audio === 'on' || sound.trouble) this.#isUnwatched = true
    const isAwaited = this.#isUnwatched && (mustTapJoinAudio(sound) || sound.audio === 'blocked')
    const isNews = isAwaited && !this.#hasCalled
    if (isNews) this.#hasCalled = true
    return { isAwaited, isNews }
  }
}
