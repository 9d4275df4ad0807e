import { CallFailure } from '../../../shared/phone/call.ts'
import { readStored, removeStored, store } from '../storage.ts'
import { logoutPhone } from './calls.ts'

const ENDING_MAX = 10

/** Ends a session on the server, now or, if there is no response, when the app is next opened. */
export function endSession(token: string): void {
  storeEnding([...endingTokens(), token].slice(-ENDING_MAX))
  void retryEndingSessions()
}

/** Ends the sessions that could not be ended before, side by side: one without an answer holds up no other. */
export async function retryEndingSessions(): Promise<void> {
  await Promise.all(endingTokens().map(retryEnding))
}

async function retryEnding(token: string): Promise<void> {
  try {
    await logoutPhone(token)
  } catch (error) {
    const hasEnded = error instanceof CallFailure && (error.status === 401 || error.status === 403)
    if (!hasEnded) return
  }
  storeEnding(endingTokens().filter((other) => other !== token))
}

function endingTokens(): string[] {
  return readStored('ending')?.split(' ') ?? []
}

function storeEnding(tokens: string[]): void {
  if (tokens.length > 0) store('ending', tokens.join(' '))
  else removeStored('ending')
}
