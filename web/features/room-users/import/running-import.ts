import { z } from 'zod'
import { currentSession } from '../../../lib/session/session.ts'
import { browserStorage } from '../../../lib/storage.ts'

/** The progress of an import, kept in localStorage: a leftover mark means on the next visit that it was interrupted. */
const ImportProgress = z.object({ started_at: z.number(), noted_at: z.number(), added: z.number(), total: z.number() })
export type ImportProgress = z.infer<typeof ImportProgress>

/** If the browser has no locks, an older mark than this belongs to a closed tab. It exceeds the timeout of two calls. */
const CALL_MS = 35_000

const markName = () => `parley.import.${currentSession().user?.id ?? ''}`

export function saveImportProgress(mark: Omit<ImportProgress, 'noted_at'>): void {
  browserStorage.store(markName(), JSON.stringify({ ...mark, noted_at: Date.now() }))
}

export function clearImportMark(): void {
  browserStorage.remove(markName())
}

/** Runs one import at a time across all tabs; returns null while another one runs. */
export async function withImportLock<T>(run: () => Promise<T>): Promise<T | null> {
  if (!(await queryLocks())) return run()
  return navigator.locks.request(markName(), { ifAvailable: true }, (lock) => (lock ? run() : null))
}

/** Returns the mark of an import that was interrupted by closing its tab. */
export async function findInterruptedImport(): Promise<ImportProgress | null> {
  const mark = readMark()
  if (!mark) return null
  const locks = await queryLocks()
  if (!locks) return Date.now() - mark.noted_at > CALL_MS ? mark : null
  const { held = [] } = locks
  return held.some(({ name }) => name === markName()) ? null : mark
}

function readMark(): ImportProgress | null {
  try {
    return ImportProgress.parse(JSON.parse(browserStorage.read(markName()) ?? ''))
  } catch {
    return null
  }
}

/** Returns null where browsers provide no locks: without https or localhost, and where they block site data. */
async function queryLocks(): Promise<LockManagerSnapshot | null> {
  try {
    return await navigator.locks.query()
  } catch {
    return null
  }
}
