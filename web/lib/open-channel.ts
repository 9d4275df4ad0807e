/** Opens a channel between the browser's tabs; null where there are none, as in Firefox if it blocks site data. */
export function openChannel(name: string): BroadcastChannel | null {
  try {
    return new BroadcastChannel(name)
  } catch {
    return null
  }
}
