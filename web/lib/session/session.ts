import { createStore, useStore } from 'zustand'
import type { ConsoleRole } from '../../../shared/auth.ts'
import { SESSION_ENDS, type SessionEnd } from '../../../shared/session-end.ts'
import { isRecord } from '../is-record.ts'
import { openChannel } from '../open-channel.ts'
import { tabStorage } from '../storage.ts'
import { removeDrafts, storeDrafts } from './drafts.ts'
import { forgetPage } from './return-page.ts'

/** The part of the user that every page shows; pages fetch the rest. */
export type SignedInUser = { id: string; role: ConsoleRole; username: string; full_name: string | null }

/** A user as the server sends it: one without a role is a host. */
export type KnownUser = { id: string; username: string; role?: ConsoleRole; full_name?: string | null }

/**
 * `checking` until the server has verified a stored token; `unreachable` if the server did not answer; `unverified` for
 * a master whose only proof is a token in the address: the panel stays empty until the server answers.
 */
export type SessionStatus = 'checking' | 'signed-in' | 'signed-out' | 'unreachable' | 'unverified'
export type SessionState = {
  status: SessionStatus
  token: string | null
  user: SignedInUser | null
  /** True after the person has signed out: the next sign-in then does not open this page again. */
  left?: boolean
}

const ROLES: readonly ConsoleRole[] = ['master', 'host', 'manager', 'moderator']

const STORED = 'parley.session'
const SIGNED_OUT = 'parley.signed-out'

/** `unknown`: the server has ended the session without a reason. */
export type SignedOutReason = SessionEnd | 'unknown'

export function parseSignedOutReason(value: unknown): SignedOutReason {
  return SESSION_ENDS.find((end) => end === value) ?? 'unknown'
}

// Not encryption: it only keeps the token from being read over a shoulder. Any script in the page can undo it.
const obfuscate = (text: string) => btoa(encodeURIComponent(text)).split('').reverse().join('')
const deobfuscate = (text: string) => decodeURIComponent(atob(text.split('').reverse().join('')))

/**
 * Parses the user of an answer or of the stored session; null if invalid. Uses no Zod, so that login pages do not load
 * it.
 */
export function parseSignedInUser(value: unknown): SignedInUser | null {
  if (!isRecord(value)) return null
  const { id, username, role = 'host', name = null, full_name = name } = value // assistants have one name
  if (typeof id !== 'string' || typeof username !== 'string') return null
  const known = ROLES.find((one) => one === role)
  if (!known || (full_name !== null && typeof full_name !== 'string')) return null
  return { id, role: known, username, full_name }
}

function readStored(): { token: string; user: SignedInUser | null } | null {
  try {
    const stored: unknown = JSON.parse(deobfuscate(tabStorage.read(STORED) ?? ''))
    if (!isRecord(stored) || typeof stored.token !== 'string' || stored.token === '') return null
    return { token: stored.token, user: parseSignedInUser(stored.user) }
  } catch {
    return null
  }
}

function store(token: string, user: SignedInUser) {
  tabStorage.remove(STORED) // or a former session would be back after a reload, if this one does not fit
  tabStorage.store(STORED, obfuscate(JSON.stringify({ token, user })))
}

const stored = readStored()
const initial: SessionState = { status: stored ? 'checking' : 'signed-out', token: stored?.token ?? null, user: null }

const session = createStore<SessionState>()(() => initial)
export const currentSession = session.getState
export const useSession = () => useStore(session)
const setSession = (next: SessionState) => session.setState(next, true)

// The message is only "changed": each tab verifies its own token.
const channel = openChannel('parley-session')

export function notifyOtherTabs() {
  channel?.postMessage('changed')
}

export function onOtherTabChange(listener: () => void): () => void {
  channel?.addEventListener('message', listener)
  return () => channel?.removeEventListener('message', listener)
}

export function setSignedIn(token: string, { id, username, role = 'host', full_name = null }: KnownUser) {
  const user = { id, role, username, full_name }
  store(token, user)
  removeDrafts({ exceptOf: id })
  tabStorage.remove(SIGNED_OUT)
  setSession({ status: 'signed-in', token, user })
}

/** Keeps the token after a missing answer, but shows nothing with it. */
export function setUnreachable() {
  setSession({ ...currentSession(), status: 'unreachable', user: null })
}

/** Signs in with a token from the address: neither the token nor the user that it names is stored. */
export function setUnverified(token: string, user: SignedInUser) {
  setSession({ status: 'unverified', token, user })
}

/** `reason`: why the server has ended the session; the login page shows it until the next sign-in. */
export function clearSession({ left = false, reason }: { left?: boolean; reason?: SignedOutReason } = {}) {
  tabStorage.remove(STORED)
  if (left) {
    forgetPage()
    removeDrafts()
  }
  const { user } = currentSession()
  if (reason === 'signed_out')
    removeDrafts() // in another tab, by the person of this one
  else if (reason && user) storeDrafts(user.id)
  if (reason) tabStorage.store(SIGNED_OUT, reason)
  setSession({ status: 'signed-out', token: null, user: null, left })
}

/** Returns why this tab was signed out; null if it was not. */
export function signedOutReason(): SignedOutReason | null {
  const reason = tabStorage.read(SIGNED_OUT)
  return reason === null ? null : parseSignedOutReason(reason)
}
