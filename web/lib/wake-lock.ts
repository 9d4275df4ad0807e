/** Keeps the screen on. The system releases the lock whenever the page is hidden. */
export class WakeLock {
  #lock: WakeLockSentinel | null = null
  #isWanted = false

  constructor() {
    document.addEventListener('visibilitychange', this.#renew)
  }

  want(isWanted: boolean) {
    if (isWanted === this.#isWanted) return
    this.#isWanted = isWanted
    if (isWanted) void this.#renew()
    else void this.#lock?.release()
  }

  close() {
    document.removeEventListener('visibilitychange', this.#renew)
    this.want(false)
  }

  #renew = async () => {
    if (!this.#isWanted || document.hidden) return
    const lock = await navigator.wakeLock?.request('screen').catch(() => null) // refused on low battery
    if (!this.#isWanted) void lock?.release()
    else this.#lock = lock ?? null
  }
}
