/** Rings and vibrates if the phone can. The tap that joined the room has permitted the sound. */
export class Ringer {
  #context: AudioContext | null = null

  /** Call it within a tap. */
  unlock() {
    this.#context ??= new AudioContext()
    void this.#context.resume()
  }

  ring() {
    // Browsers block it, with an error, in a page that was reloaded and has not been tapped.
    if (navigator.userActivation?.hasBeenActive !== false) navigator.vibrate?.([300, 150, 300])
    const context = this.#context
    if (context?.state !== 'running') return
    for (const start of [0, 0.45]) {
      const oscillator = new OscillatorNode(context, { frequency: 880 })
      const gain = new GainNode(context, { gain: 0.2 })
      oscillator.connect(gain).connect(context.destination)
      oscillator.start(context.currentTime + start)
      oscillator.stop(context.currentTime + start + 0.3)
    }
  }

  close() {
    void this.#context?.close()
    this.#context = null
  }
}
