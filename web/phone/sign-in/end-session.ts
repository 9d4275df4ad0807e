import { CallFailure } from '../../../shared/phone/call.ts'
import { readStored, removeStored, store } from '../storage.ts'
import { logoutPhone } from './calls.ts'

/** Ends a session on the server, now or, if there is no response, when the app is next opened. */
export function endSession(token: string): void {
  store('ending', token)
  void retryEndingSession()
}

/** Ends a session that could not be ended before. */
export async function retryEndingSession(): Promise<void> {
  const token = readStored('ending')
  if (token === null) return
  try {
    await logoutPhone(token)
  } catch (error) {
    const hasEnded = error instanceof CallFailure && (error.status === 401 || error.status === 403)
    if (!hasEnded) return
  }
  if (readStored('ending') === token) removeStored('ending')
}
