/** Milliseconds for which a reloaded page waits for the lock of the page before it. */
const WAIT_MS = 3_000

/**
 * Keeps the tabs of one browser from taking a room's seat at the same time. Returns how to give the lock back; null if
 * another tab has it.
 */
export async function lockSeat(roomId: string): Promise<(() => void) | null> {
  if (!('locks' in navigator)) return () => {} // an insecure address: the server's lease decides alone
  const { promise: held, resolve: release } = Promise.withResolvers<void>()
  const { promise: taken, resolve } = Promise.withResolvers<(() => void) | null>()
  navigator.locks
    .request(`parley-seat-${roomId}`, { signal: AbortSignal.timeout(WAIT_MS) }, () => {
      resolve(release)
      return held
    })
    .catch(() => resolve(null))
  return taken
}
