import { useEffect } from 'react'
import { z } from 'zod'
import { useStored } from '../../ui/use-stored.ts'

/** The notes of each chime, in Hz. */
const CHIMES = { notice: [660, 880], hand: [784, 587] }
const NOTE_SECONDS = 0.14
const VOLUME = 0.12

let context: AudioContext | null = null

/** A browser unlocks sound only in a press or key handler; after that the page may chime by itself. */
export function useUnlockedSound(): void {
  useEffect(() => {
    const unlock = () => {
      if (context || typeof AudioContext === 'undefined') return
      context = new AudioContext()
      void context.resume().then(rest)
    }
    document.addEventListener('pointerup', unlock)
    document.addEventListener('keydown', unlock)
    return () => {
      document.removeEventListener('pointerup', unlock)
      document.removeEventListener('keydown', unlock)
    }
  }, [])
}

/** Silent until the host has pressed something on the page. */
export async function chime(sound: keyof typeof CHIMES): Promise<void> {
  if (!context) return
  await context.resume()
  const start = context.currentTime
  const notes = CHIMES[sound]
  for (const [index, frequency] of notes.entries()) {
    const from = start + index * NOTE_SECONDS
    const note = new OscillatorNode(context, { frequency })
    const gain = new GainNode(context, { gain: VOLUME })
    gain.gain.setValueAtTime(VOLUME, from + NOTE_SECONDS / 2)
    gain.gain.linearRampToValueAtTime(0, from + NOTE_SECONDS) // a fade avoids a click
    note.connect(gain).connect(context.destination)
    note.start(from)
    note.stop(from + NOTE_SECONDS)
    if (index === notes.length - 1) note.onended = rest
  }
}

/** Suspends the context, since a running one keeps the computer's audio device awake. */
function rest() {
  void context?.suspend()
}

const IsOn = z.boolean()

export function useChimeSetting() {
  return useStored('parley.phone-chime', IsOn, true)
}

/** Off unless chosen: in a large room hands are raised all the time. */
export function useHandChimeSetting() {
  return useStored('parley.hand-chime', IsOn, false)
}
