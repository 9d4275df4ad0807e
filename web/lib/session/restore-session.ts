import { isRecord } from '../is-record.ts'
import { lightToast } from '../light-toast.ts'
import { ApiError, answerOf, send, unexpectedAnswer } from '../send.ts'
import { endSessionAtServer } from './end-session.ts'
import { currentHandOver, type HandOver, readMasterClaims, setHandOver } from './hand-over.ts'
import {
  clearSession,
  currentSession,
  onOtherTabChange,
  parseSignedInUser,
  type SignedInUser,
  type SignedOutReason,
  setSignedIn,
  setUnreachable,
  setUnverified,
} from './session.ts'
import { claimSession, isClaimed, type NewSession, startNewSession } from './sign-in.ts'

const ATTEMPTS = 3
const RETRY_MS = 1000

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

type Refused = { refused: SignedOutReason }
/** The user of a token, or the reason why it is unknown; `unanswered` also covers a 5xx. */
type Owner = { user: SignedInUser } | Refused | 'unanswered' | 'unclear'

async function fetchOwner(token: string, isHandedOver = false): Promise<Owner> {
  let owner: Owner = 'unanswered'
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    if (attempt > 1) await wait(RETRY_MS)
    owner = await tryFetchOwner(token, isHandedOver)
    if (owner !== 'unanswered' && owner !== 'unclear') return owner
  }
  return owner
}

async function tryFetchOwner(token: string, isHandedOver: boolean): Promise<Owner> {
  try {
    const response = await send('POST', '/auth/verify', isHandedOver ? { handed_over: true } : {}, { token })
    const answer = await answerOf(response)
    const user = isRecord(answer) ? parseSignedInUser(answer.user) : null
    if (!user) throw unexpectedAnswer(response)
    return { user }
  } catch (error) {
    const refusal = refusalIn(error)
    if (refusal) return refusal
    const status = error instanceof ApiError ? error.status : 0
    return status === 0 || status >= 500 ? 'unanswered' : 'unclear'
  }
}

function refusalIn(error: unknown): Refused | null {
  const isRefusal = error instanceof ApiError && error.status >= 400 && error.status < 500 && error.status !== 429
  return isRefusal ? { refused: error.reason } : null
}

const isRefused = (result: Owner | NewSession): result is Refused => typeof result === 'object' && 'refused' in result

/** Fetches the user of the session's token. Only a refusal ends the session, not a missing answer. */
export async function verifySession(): Promise<void> {
  const { token, status } = currentSession()
  if (!token) return
  if (status === 'unverified') return claimUnverified(token)
  const owner = await fetchOwner(token)
  if (currentSession().token !== token) return
  if (isRefused(owner)) clearSession({ reason: owner.refused })
  else if (typeof owner === 'object') setSignedIn(token, owner.user)
  else if (currentSession().status !== 'signed-in') setUnreachable()
}

let claiming: string | null = null

/** Runs once per token, since a token can be claimed only once. */
async function claimUnverified(token: string): Promise<void> {
  if (claiming === token) return
  claiming = token
  const claimed = await verifyAndClaim(token)
  claiming = null
  if (currentSession().token !== token) return
  if (isRefused(claimed)) clearSession()
  else if (typeof claimed === 'object') startNewSession(claimed)
}

async function verifyAndClaim(token: string): Promise<NewSession | Refused | 'unanswered' | 'unclear'> {
  if (!isClaimed(token)) {
    const owner = await fetchOwner(token, true)
    if (typeof owner !== 'object' || isRefused(owner)) return owner
  }
  try {
    return await claimSession(token)
  } catch (error) {
    return refusalIn(error) ?? 'unanswered'
  }
}

/** Verifies the stored session, now and whenever another tab signs in or out. */
export async function startSession(handedOver: string | null): Promise<void> {
  onOtherTabChange(() => void verifySession())
  const { token } = currentSession()
  if (handedOver && handedOver !== token) setHandOver({ status: 'verifying', token: handedOver })
  if (token) await verifySession()
  await verifyHandOver()
}

/** Fetches the user of the token from the address, so that the person can accept or refuse it. */
export async function verifyHandOver(): Promise<void> {
  const handOver = currentHandOver()
  if (!handOver) return
  const { token } = handOver
  setHandOver({ status: 'verifying', token })
  const owner = await fetchOwner(token, true)
  const { token: present, user } = currentSession()
  if (isRefused(owner)) return dropHandOver()
  if (typeof owner === 'object') {
    const isSame = user?.id === owner.user.id && user.role === owner.user.role
    return setHandOver(isSame ? null : { status: 'asking', token, user: owner.user, isVerified: true })
  }
  if (present) return dropHandOver()
  const master = owner === 'unanswered' ? readMasterClaims(token) : null
  setHandOver(master ? { status: 'asking', token, user: master, isVerified: false } : { status: 'unreachable', token })
}

/** Ends the token of the address and the session that the new one replaces. */
export async function acceptHandOver({ token, user, isVerified }: HandOver & { status: 'asking' }): Promise<void> {
  if (!isVerified) {
    setUnverified(token, user)
    return setHandOver(null)
  }
  const before = currentSession()
  try {
    startNewSession(await claimSession(token))
  } catch (error) {
    if (refusalIn(error)) return dropHandOver()
    lightToast.error((error instanceof ApiError && error.message) || 'Network error. Please try again.')
    return
  }
  if (before.token) {
    // Best effort: the old token is gone from this tab, and expires at the server.
    endSessionAtServer(before).catch(() => {})
    window.location.reload() // drops everything that the other user has loaded
  } else setHandOver(null)
}

function dropHandOver() {
  const isSignedIn = currentSession().token !== null
  lightToast.error(`That sign-in link is not valid any more.${isSignedIn ? ' You are still signed in as before.' : ''}`)
  setHandOver(null)
}
