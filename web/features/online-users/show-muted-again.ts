import { toast } from '../../ui/toast.tsx'

/** Milliseconds for which a toast is shown. */
const GATHER_MS = 4_000

const recent = new Map<string, number>() // user name to time
let hide = () => {}

/** Shows one toast for the last seconds, since under Mute All a crowd may open its microphones at the same time. */
export function showMutedAgain(username: string, now = Date.now()): void {
  for (const [name, at] of recent) if (at < now - GATHER_MS) recent.delete(name)
  recent.set(username, now)
  hide()
  hide = toast.warning(mutedAgainText([...recent.keys()]))
}

export function mutedAgainText(names: readonly string[]): string {
  const [first, ...others] = names
  if (others.length === 0) return `${first} opened the microphone in Zoom while muted. It was closed again.`
  const rest = others.length === 1 ? others[0] : `${others.length} others`
  return `${first} and ${rest} opened the microphone in Zoom while muted. All were closed again.`
}
