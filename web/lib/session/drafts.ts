import { isRecord } from '../is-record.ts'
import { tabStorage } from '../storage.ts'

const STORED = 'parley.drafts'

const sources = new Map<string, () => unknown>()

/**
 * Registers a form whose unsaved text outlives the end of the session, which loads the login. `read` returns null if
 * nothing is unsaved, and never a password. Returns how to unregister it.
 */
export function registerDraft(name: string, read: () => unknown): () => void {
  sources.set(name, read)
  return () => {
    if (sources.get(name) === read) sources.delete(name)
  }
}

/** Call it when anything but the person's own sign-out ends the session. */
export function storeDrafts(userId: string) {
  const drafts = Object.fromEntries([...sources].map(([name, read]) => [name, read()]))
  if (Object.values(drafts).every((draft) => draft === null)) return
  tabStorage.store(STORED, JSON.stringify({ user_id: userId, drafts }))
}

/** Returns the draft of the person who is signed in, once; null if there is none. */
export function takeDraft(name: string): unknown {
  const { [name]: draft = null, ...others } = readStored()?.drafts ?? {}
  if (draft !== null) tabStorage.store(STORED, JSON.stringify({ ...readStored(), drafts: others }))
  return draft
}

/** Forgets the drafts of anyone else, or of everyone. */
export function removeDrafts({ exceptOf }: { exceptOf?: string } = {}) {
  if (exceptOf === undefined || readStored()?.user_id !== exceptOf) tabStorage.remove(STORED)
}

function readStored(): { user_id: unknown; drafts: Record<string, unknown> } | null {
  try {
    const stored: unknown = JSON.parse(tabStorage.read(STORED) ?? '')
    return isRecord(stored) && isRecord(stored.drafts) ? { user_id: stored.user_id, drafts: stored.drafts } : null
  } catch {
    return null
  }
}
