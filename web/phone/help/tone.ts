const SECONDS = 4
const NOTES = [523.25, 659.25, 783.99, 659.25] // a second each, so that it is told from any other sound

/** Plays a gentle melody; returns what stops it. */
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
  void context.resume() // iOS begins suspended
  oscillator.start(start)
  oscillator.stop(start + SECONDS)
  return () => oscillator.stop()
}
