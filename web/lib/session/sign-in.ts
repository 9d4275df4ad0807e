import { isRecord } from '../is-record.ts'
import { type ApiOptions, answerOf, randomUuid, send, unexpectedAnswer } from '../send.ts'
import { notifyOtherTabs, parseSignedInUser, type SignedInUser, setSignedIn } from './session.ts'

export type NewSession = { token: string; user: SignedInUser }

export async function signIn(path: '/auth/host/login' | '/auth/master-login', credentials: Record<string, string>) {
  startNewSession(await fetchSession(path, credentials))
}

/** Ends a sign-in with its second step. Returns how many recovery codes are left after one was used, else null. */
export async function showSecondFactor(shown: Record<string, unknown>): Promise<number | null> {
  const { recovery_codes_left, ...session } = await fetchSession('/auth/second-factor', shown)
  startNewSession(session)
  return recovery_codes_left ?? null
}

let claim: { token: string; key: string } | null = null

/** Exchanges a token from the address for a new session. If the answer is lost, a repeat gets the same one. */
export function claimSession(token: string): Promise<NewSession> {
  if (claim?.token !== token) claim = { token, key: randomUuid() }
  return fetchSession('/auth/claim', undefined, { token, idempotencyKey: claim.key })
}

/** True if an exchange of the token was tried, which may have ended it. */
export const isClaimed = (token: string) => claim?.token === token

export function startNewSession({ token, user }: NewSession) {
  setSignedIn(token, user)
  notifyOtherTabs()
}

/** A host's answer has the session in `data`, the others at the top level. */
async function fetchSession(
  path: string,
  body: unknown,
  options?: ApiOptions,
): Promise<NewSession & { recovery_codes_left?: number }> {
  const response = await send('POST', path, body, options)
  const answer = await answerOf(response)
  const given = isRecord(answer) && isRecord(answer.data) ? answer.data : answer
  const user = isRecord(given) ? parseSignedInUser(given.user) : null
  if (!user || !isRecord(given) || typeof given.token !== 'string') throw unexpectedAnswer(response)
  const { recovery_codes_left } = given
  return { token: given.token, user, ...(typeof recovery_codes_left === 'number' && { recovery_codes_left }) }
}
