import { z } from 'zod'
import { Role } from '../../shared/auth.ts'

/** No more of the user than the console greets with: everything else is asked of the server. */
export const SignedInUser = z.object({
  id: z.string(),
  role: Role.default('host'),
  username: z.string(),
  full_name: z.string().nullable().default(null),
})
export type SignedInUser = z.infer<typeof SignedInUser>

const Stored = z.object({ token: z.string().min(1), user: SignedInUser.nullable() })

/** `checking` until the server has verified a stored token; `unreachable` when it could not be asked. */
export type SessionStatus = 'checking' | 'signed-in' | 'signed-out' | 'unreachable'
export type Session = {
  status: SessionStatus
  token: string | null
  user: SignedInUser | null
  /** Signed out by the person's own act: the page is then not kept for whoever signs in next. */
  left?: boolean
}

const STORED = 'parley.session'
const RETURN_TO = 'parley.return-to'

// Not a secret's protection, only a hindrance to reading over a shoulder: whoever can run script here can undo it.
const veil = (text: string) => btoa(encodeURIComponent(text)).split('').reverse().join('')
const unveil = (text: string) => decodeURIComponent(atob(text.split('').reverse().join('')))

function read(): z.infer<typeof Stored> | null {
  try {
    const text = sessionStorage.getItem(STORED)
    return text ? Stored.parse(JSON.parse(unveil(text))) : null
  } catch {
    return null
  }
}

const stored = read()
let current: Session = { status: stored ? 'checking' : 'signed-out', token: stored?.token ?? null, user: null }

const listeners = new Set<() => void>()
// It only ever says "changed": each tab asks the server about its own token.
const channel = typeof BroadcastChannel === 'undefined' ? null : new BroadcastChannel('parley-session')

function become(next: Session) {
  current = next
  for (const listener of listeners) listener()
}

export function currentSession(): Session {
  return current
}

export function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Tells the other tabs that something about sign-in changed, never what. */
export function tellOtherTabs() {
  channel?.postMessage('changed')
}

export function onOtherTabChange(listener: () => void): () => void {
  channel?.addEventListener('message', listener)
  return () => channel?.removeEventListener('message', listener)
}

/** Keeps a token whose user is not known yet. */
export function keepToken(token: string) {
  sessionStorage.setItem(STORED, veil(JSON.stringify({ token, user: null })))
  become({ status: 'checking', token, user: null })
}

export function keepSession(token: string, user: z.input<typeof SignedInUser>) {
  const signedIn = SignedInUser.parse(user)
  sessionStorage.setItem(STORED, veil(JSON.stringify({ token, user: signedIn })))
  become({ status: 'signed-in', token, user: signedIn })
}

/** The server could not be asked: the token is kept, and nothing is shown with it. */
export function holdSession() {
  become({ ...current, status: 'unreachable', user: null })
}

export function clearSession({ left = false } = {}) {
  sessionStorage.removeItem(STORED)
  if (left) sessionStorage.removeItem(RETURN_TO)
  become({ status: 'signed-out', token: null, user: null, left })
}

export function rememberPage(path: string) {
  sessionStorage.setItem(RETURN_TO, path)
}

/** The page that was asked for before signing in, if it belongs to that role's panel. */
export function rememberedPage(role: Role): string | null {
  const path = sessionStorage.getItem(RETURN_TO)
  return path?.startsWith(`/${role}/`) ? path : null
}

export function forgetPage() {
  sessionStorage.removeItem(RETURN_TO)
}
