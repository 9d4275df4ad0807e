/**
 * Takes the room over from other tabs of this browser with the same user. Calls `onTaken` once another tab takes it
 * from here. Returns a function that releases it. Without browser locks, tabs are independent.
 */
export function claimRoom(userId: string, onTaken: () => void): () => void {
  const { locks } = navigator
  const { promise: given, resolve: giveBack } = Promise.withResolvers<void>()
  locks
    ?.request(`parley.phone.room.${userId}`, { mode: 'exclusive', steal: true }, () => given)
    .catch((error: unknown) => {
      if (error instanceof DOMException && error.name === 'AbortError') onTaken()
    })
  return giveBack
}
