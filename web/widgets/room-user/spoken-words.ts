const MINUTE_S = 60

/** Returns how long a user has spoken in whole minutes, for a tile; null without a word. */
export function spokenMinutes(ms: number): string | null {
  const seconds = Math.round(ms / 1000)
  if (seconds === 0) return null
  return seconds < MINUTE_S ? '<1 min' : `${Math.floor(seconds / MINUTE_S)} min`
}

export function spokenTime(ms: number): string {
  const seconds = Math.round(ms / 1000)
  const minutes = Math.floor(seconds / MINUTE_S)
  return minutes === 0 ? `${seconds} s` : `${minutes} min ${seconds % MINUTE_S} s`
}
