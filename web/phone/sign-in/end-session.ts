import { CallFailure } from '../../../shared/phone/call.ts'
import { readStored, removeStored, store } from '../storage.ts'
import { signOut } from './calls.ts'

/** Ends a session at the server, now or, if nothing answers, when the app is opened the next time. */
export function endSession(token: string): void {
  store('ending', token)
  void endKeptSession()
}

/** The one that could not be ended before. */
export async function endKeptSession(): Promise<void> {
  const token = readStored('ending')
  if (token === null) return
  try {
    await signOut(token)
  } catch (error) {
    const hasEnded = error instanceof CallFailure && (error.status === 401 || error.status === 403)
    if (!hasEnded) return
  }
  if (readStored('ending') === token) removeStored('ending')
}
