import { toast } from '../../ui/toast.tsx'
import { isRecord } from '../is-record.ts'
import { ApiError, answerOf, messageOf, send, unexpectedAnswer } from '../send.ts'
import { endSessionAtServer } from './end-session.ts'
import { currentHandOver, type HandOver, masterNamedIn, setHandOver } from './hand-over.ts'
import {
  clearSession,
  currentSession,
  holdSession,
  holdUnverified,
  keepSession,
  onOtherTabChange,
  readUser,
  type SignedInUser,
} from './session.ts'
import { claimSession, type NewSession, startNewSession } from './sign-in.ts'

const TRIES = 3
const BETWEEN_TRIES_MS = 1000

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/** Whose a token is, or why that is not known: `silent` when nothing answered, or the server has a fault. */
type Owner = SignedInUser | 'refused' | 'silent' | 'unclear'

async function askOwner(token: string, isHandedOver = false): Promise<Owner> {
  let owner: Owner = 'silent'
  for (let attempt = 1; attempt <= TRIES; attempt++) {
    if (attempt > 1) await wait(BETWEEN_TRIES_MS)
    owner = await askOnce(token, isHandedOver)
    if (owner !== 'silent' && owner !== 'unclear') return owner
  }
  return owner
}

async function askOnce(token: string, isHandedOver: boolean): Promise<Owner> {
  try {
    const response = await send('POST', '/auth/verify', isHandedOver ? { handed_over: true } : {}, { token })
    const answer = await answerOf(response)
    const user = isRecord(answer) ? readUser(answer.user) : null
    if (!user) throw unexpectedAnswer(response)
    return user
  } catch (error) {
    if (isRefusal(error)) return 'refused'
    const status = error instanceof ApiError ? error.status : 0
    return status === 0 || status >= 500 ? 'silent' : 'unclear'
  }
}

function isRefusal(error: unknown): boolean {
  return error instanceof ApiError && error.status >= 400 && error.status < 500 && error.status !== 429
}

/** Asks the server who the session's token belongs to. Only the server's refusal ends it, never its silence. */
export async function verifySession(): Promise<void> {
  const { token, status } = currentSession()
  if (!token) return
  if (status === 'unverified') return claimUnverified(token)
  const owner = await askOwner(token)
  if (currentSession().token !== token) return
  if (owner === 'refused') clearSession()
  else if (typeof owner === 'object') keepSession(token, owner)
  else if (currentSession().status !== 'signed-in') holdSession()
}

let claiming: string | null = null

/** One at a time: a token can be claimed once, and the answer that counts may come last. */
async function claimUnverified(token: string): Promise<void> {
  if (claiming === token) return
  claiming = token
  const claimed = await lookAndClaim(token)
  claiming = null
  if (currentSession().token !== token) return
  if (claimed === 'refused') clearSession()
  else if (typeof claimed === 'object') startNewSession(claimed)
}

async function lookAndClaim(token: string): Promise<NewSession | 'refused' | 'silent' | 'unclear'> {
  const owner = await askOwner(token, true)
  if (typeof owner !== 'object') return owner
  try {
    return await claimSession(token)
  } catch (error) {
    return isRefusal(error) ? 'refused' : 'silent'
  }
}

/** Verifies what is stored, now and whenever another tab says that something about sign-in changed. */
export async function startSession(handedOver: string | null): Promise<void> {
  onOtherTabChange(() => void verifySession())
  const { token } = currentSession()
  if (handedOver && handedOver !== token) setHandOver({ status: 'looking', token: handedOver })
  if (token) await verifySession()
  await lookAtHandOver()
}

/** Finds out whose the token from the address is, so that the person here can be asked about it. */
export async function lookAtHandOver(): Promise<void> {
  const handOver = currentHandOver()
  if (!handOver) return
  const { token } = handOver
  setHandOver({ status: 'looking', token })
  const owner = await askOwner(token, true)
  const { token: present, user } = currentSession()
  if (typeof owner === 'object') {
    const isSame = user?.id === owner.id && user.role === owner.role
    return setHandOver(isSame ? null : { status: 'asking', token, user: owner, isVerified: true })
  }
  if (owner === 'refused' || present) return dropHandOver()
  const master = owner === 'silent' ? masterNamedIn(token) : null
  setHandOver(master ? { status: 'asking', token, user: master, isVerified: false } : { status: 'unreachable', token })
}

/** The person said yes. The token of the address ends, and so does the session that the new one replaces. */
export async function acceptHandOver({ token, user, isVerified }: HandOver & { status: 'asking' }): Promise<void> {
  if (!isVerified) {
    holdUnverified(token, user)
    return setHandOver(null)
  }
  const before = currentSession()
  try {
    startNewSession(await claimSession(token))
  } catch (error) {
    if (isRefusal(error)) return dropHandOver()
    toast.error(messageOf(error, 'Network error. Please try again.'))
    return
  }
  if (before.token) {
    // A failure leaves nothing to do: the old token is gone from here, and ends by itself at the server.
    endSessionAtServer(before).catch(() => {})
    window.location.reload() // drops all that was shown to the other
  } else setHandOver(null)
}

function dropHandOver() {
  const isSignedIn = currentSession().token !== null
  toast.error(`That sign-in link is not valid any more.${isSignedIn ? ' You are still signed in as before.' : ''}`)
  setHandOver(null)
}
