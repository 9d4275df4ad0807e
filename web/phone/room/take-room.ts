/**
 * Takes the room from the other tabs of this browser in which the user is in it. Once another one takes it from here,
 * `onTaken` is called. Returns what gives it back. A browser without locks lets each tab go its own way.
 */
export function takeRoom(userId: string, onTaken: () => void): () => void {
  const { locks } = navigator
  const { promise: given, resolve: giveBack } = Promise.withResolvers<void>()
  locks
    ?.request(`parley.phone.room.${userId}`, { mode: 'exclusive', steal: true }, () => given)
    .catch((error: unknown) => {
      if (error instanceof DOMException && error.name === 'AbortError') onTaken()
    })
  return giveBack
}
