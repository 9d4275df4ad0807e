import type { Role } from '../../../shared/auth.ts'
import { isRecord } from '../is-record.ts'

/** No more of the user than the console greets with: everything else is asked of the server. */
export type SignedInUser = { id: string; role: Role; username: string; full_name: string | null }

/** As the server tells of a user: one without a role is a host. */
export type KnownUser = { id: string; username: string; role?: Role; full_name?: string | null }

/**
 * `checking` until the server has verified a stored token; `unreachable` when it could not be asked; `unverified` for a
 * master whom only a token from the address speaks for: an empty panel, until the server answers.
 */
export type SessionStatus = 'checking' | 'signed-in' | 'signed-out' | 'unreachable' | 'unverified'
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

/** The user in an answer or in the store, or null for anything else. */
export function readUser(value: unknown): SignedInUser | null {
  if (!isRecord(value)) return null
  const { id, username, role = 'host', full_name = null } = value
  if (typeof id !== 'string' || typeof username !== 'string') return null
  if ((role !== 'host' && role !== 'master') || (full_name !== null && typeof full_name !== 'string')) return null
  return { id, role, username, full_name }
}

function readStored(): { token: string; user: SignedInUser | null } | null {
  try {
    const stored: unknown = JSON.parse(unveil(sessionStorage.getItem(STORED) ?? ''))
    if (!isRecord(stored) || typeof stored.token !== 'string' || stored.token === '') return null
    return { token: stored.token, user: readUser(stored.user) }
  } catch {
    return null
  }
}

function store(token: string, user: SignedInUser) {
  sessionStorage.setItem(STORED, veil(JSON.stringify({ token, user })))
}

const stored = readStored()
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

export function keepSession(token: string, { id, username, role = 'host', full_name = null }: KnownUser) {
  const user = { id, role, username, full_name }
  store(token, user)
  become({ status: 'signed-in', token, user })
}

/** The server could not be asked: the token is kept, and nothing is shown with it. */
export function holdSession() {
  become({ ...current, status: 'unreachable', user: null })
}

/** Of a token from the address, which nobody has confirmed: neither it nor what it says of its user is stored. */
export function holdUnverified(token: string, user: SignedInUser) {
  become({ status: 'unverified', token, user })
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
