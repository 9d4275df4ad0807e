const SECONDS = 4
const NOTES = [523.25, 659.25, 783.99, 659.25] // a second each, to be recognisable among other sounds

/** Plays a gentle melody; returns a function that stops it. */
export function playTone(onEnd: () => void): () => void {
  const context = new AudioContext()
  const gain = context.createGain()
  const oscillator = context.createOscillator()
  const start = context.currentTime + 0.05
  gain.gain.setValueAtTime(0, start)
  for (const [second, note] of NOTES.entries()) {
    oscillator.frequency.setValueAtTime(note, start + second)
    gain.gain.linearRampToValueAtTime(0.4, start + second + 0.05)
    gain.gain.linearRampToValueAtTime(0.02, start + second + 0.95)
  }
  oscillator.connect(gain).connect(context.destination)
  oscillator.onended = () => {
    void context.close().catch(() => {})
    onEnd()
  }
  void context.resume() // suspended at first on iOS
  oscillator.start(start)
  oscillator.stop(start + SECONDS)
  return () => oscillator.stop()
}
