import type { SoundState } from '../../meeting/meeting-audio.ts'
import { mustTapJoinAudio } from './audio-status.ts'

/** Calls a user back to the phone when sound needs a tap and they may not be watching. */
export class TapReminder {
  #isUnwatched = false // there was sound or something to wait for since the last tap
  #hasCalled = false

  /** The user has just requested the sound, so they are watching the screen. */
  tapped() {
    this.#isUnwatched = false
    this.#hasCalled = false
  }

  /** Returns whether a tap is awaited, and whether that is new. */
  update(sound: SoundState): { isAwaited: boolean; isNew: boolean } {
    if (sound.audio === 'on') this.#hasCalled = false
    if (sound.audio === 'on' || sound.trouble) this.#isUnwatched = true
    const isAwaited = this.#isUnwatched && (mustTapJoinAudio(sound) || sound.audio === 'blocked')
    const isNew = isAwaited && !this.#hasCalled
    if (isNew) this.#hasCalled = true
    return { isAwaited, isNew }
  }
}
