import { endSessionAtServer } from './end-session.ts'
import { clearSession, currentSession, notifyOtherTabs } from './session.ts'

/** A page gives back within this time what it holds, or leaves it to the server. */
const FAREWELL_MS = 2_000

interface Farewell {
  /** Asks the person, where something is lost by it. */
  mayLeave: () => Promise<boolean>
  leave: () => Promise<void>
}

const farewells = new Set<Farewell>()
let leaving: Promise<boolean> | null = null

/** Has something done with the session before the person signs out. Returns how to withdraw it. */
export function beforeSignOut(farewell: Farewell): () => void {
  farewells.add(farewell)
  return () => void farewells.delete(farewell)
}

/**
 * Ends the session in this tab, then at the server, and notifies other tabs. Resolves to false if the person stays, or
 * the session is another one by then. A second press waits for the first one.
 */
export function signOut(): Promise<boolean> {
  leaving ??= sayFarewell().finally(() => {
    leaving = null
  })
  return leaving
}

async function sayFarewell(): Promise<boolean> {
  const { token } = currentSession()
  for (const { mayLeave } of farewells) if (!(await mayLeave())) return false
  if (farewells.size > 0) {
    const given = Promise.allSettled([...farewells].map(({ leave }) => leave()))
    await Promise.race([given, new Promise((resolve) => setTimeout(resolve, FAREWELL_MS))])
  }
  if (currentSession().token !== token) return false
  const ended = endSessionAtServer()
  clearSession({ left: true })
  // Best effort: the token is gone from this tab, and expires at the server.
  ended.then(notifyOtherTabs, notifyOtherTabs)
  return true
}
