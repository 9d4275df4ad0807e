import { z } from 'zod'
import { currentSession } from '../../../lib/session/session.ts'

/** How far an import has come, kept beside the page: what is left of it tells the next visit that it was cut off. */
const ImportMark = z.object({ started_at: z.number(), noted_at: z.number(), added: z.number(), total: z.number() })
export type ImportMark = z.infer<typeof ImportMark>

/** In browsers without locks a mark that grows older than a call may take, twice, belongs to a closed tab. */
const CALL_MS = 35_000

const markName = () => `parley.import.${currentSession().user?.id ?? ''}`

export function noteImport(mark: Omit<ImportMark, 'noted_at'>): void {
  try {
    localStorage.setItem(markName(), JSON.stringify({ ...mark, noted_at: Date.now() }))
  } catch {
    // A browser that keeps nothing shows no word of it on the next visit.
  }
}

export function forgetImport(): void {
  localStorage.removeItem(markName())
}

/** Runs one import at a time, in whichever tab; null where another one runs. */
export async function aloneInBrowser<T>(run: () => Promise<T>): Promise<T | null> {
  if (!hasLocks()) return run()
  return navigator.locks.request(markName(), { ifAvailable: true }, (lock) => (lock ? run() : null))
}

/** The import that a closed tab has cut off. */
export async function findCutOffImport(): Promise<ImportMark | null> {
  const mark = readMark()
  if (!mark) return null
  if (!hasLocks()) return Date.now() - mark.noted_at > CALL_MS ? mark : null
  const { held = [] } = await navigator.locks.query()
  return held.some(({ name }) => name === markName()) ? null : mark
}

function readMark(): ImportMark | null {
  try {
    return ImportMark.parse(JSON.parse(localStorage.getItem(markName()) ?? ''))
  } catch {
    return null
  }
}

/** Only pages from https, or of this machine, have them. */
const hasLocks = () => 'locks' in navigator
