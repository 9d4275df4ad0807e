import { toast } from './toast.tsx'

/** Milliseconds for which a toast is shown. */
const GATHER_MS = 4_000

/** Returns what shows one toast with all names of the last seconds, since many may do the same at the same time. */
export function gatherToasts(textOf: (names: readonly string[]) => string): (name: string, now?: number) => void {
  const recent = new Map<string, number>() // name to time
  let hide = () => {}
  return (name, now = Date.now()) => {
    for (const [known, at] of recent) if (at < now - GATHER_MS) recent.delete(known)
    recent.set(name, now)
    hide()
    hide = toast.warning(textOf([...recent.keys()]))
  }
}

/** Names one or two, and counts the others: "Anita and 3 others". */
export function joinNames([first = '', ...others]: readonly string[]): string {
  if (others.length === 0) return first
  return `${first} and ${others.length === 1 ? others[0] : `${others.length} others`}`
}
