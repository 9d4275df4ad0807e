import { isRecord } from '../is-record.ts'
import { ApiError, answerOf, send, unexpectedAnswer } from '../send.ts'
import { toast } from '../ui/toast.tsx'
import { makeOffer, masterNamedIn } from './hand-over.ts'
import {
  clearSession,
  currentSession,
  holdAsMaster,
  holdSession,
  keepSession,
  keepToken,
  onOtherTabChange,
  readUser,
  type SignedInUser,
  tellOtherTabs,
} from './session.ts'

const TRIES = 3
const BETWEEN_TRIES_MS = 1000

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/** Whose a token is, or why that is not known: `silent` when nothing answered, or the server has a fault. */
type Owner = SignedInUser | 'refused' | 'silent' | 'unclear'

async function askOwner(token: string): Promise<Owner> {
  let owner: Owner = 'silent'
  for (let attempt = 1; attempt <= TRIES; attempt++) {
    if (attempt > 1) await wait(BETWEEN_TRIES_MS)
    owner = await askOnce(token)
    if (owner !== 'silent' && owner !== 'unclear') return owner
  }
  return owner
}

async function askOnce(token: string): Promise<Owner> {
  try {
    const response = await send('POST', '/auth/verify', {}, { token })
    const answer = await answerOf(response)
    const user = isRecord(answer) ? readUser(answer.user) : null
    if (!user) throw unexpectedAnswer(response)
    return user
  } catch (error) {
    const status = error instanceof ApiError ? error.status : 0
    if (status === 0 || status >= 500) return 'silent'
    return status >= 400 && status !== 429 ? 'refused' : 'unclear'
  }
}

/** Asks the server who the stored token belongs to. Only the server's refusal ends the session, never its silence. */
export async function verifySession({ isHandedOver = false } = {}): Promise<void> {
  const { token } = currentSession()
  if (!token) return
  const owner = await askOwner(token)
  const { token: present, status } = currentSession()
  if (present !== token) return
  if (owner === 'refused') return clearSession()
  if (typeof owner === 'object') {
    keepSession(token, owner)
    if (isHandedOver) tellOtherTabs()
    return
  }
  if (status === 'signed-in' || status === 'unverified') return
  const master = isHandedOver && owner === 'silent' ? masterNamedIn(token) : null
  if (master) holdAsMaster(master)
  else holdSession()
}

/** Verifies what is stored, now and whenever another tab says that something about sign-in changed. */
export async function startSession(handedOver: string | null): Promise<void> {
  onOtherTabChange(() => void verifySession())
  const { token } = currentSession()
  if (token) await verifySession()
  if (!handedOver || handedOver === token) return
  if (currentSession().token) return askAbout(handedOver)
  keepToken(handedOver)
  await verifySession({ isHandedOver: true })
}

/** Somebody is signed in here: the token that was handed over waits for a yes, unless it is the same person's. */
async function askAbout(token: string) {
  const owner = await askOwner(token)
  if (typeof owner !== 'object') {
    toast.error('That sign-in link is not valid any more. You are still signed in as before.')
    return
  }
  const { user } = currentSession()
  if (user?.id === owner.id && user.role === owner.role) return
  makeOffer({ token, user: owner })
}
