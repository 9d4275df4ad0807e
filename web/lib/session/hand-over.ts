import { isRecord } from '../is-record.ts'
import type { SignedInUser } from './session.ts'

/** What can stand in a header: anything else was never one of our tokens. */
const TOKEN = /^[\w.~+/=-]{1,4096}$/

/**
 * Takes a token that was handed over in the address out of it, before anything else sees the address. Where `isTaken`
 * says no, it is only removed.
 */
export function takeTokenFromAddress(
  location: Pick<Location, 'href'>,
  history: Pick<History, 'state' | 'replaceState'>,
  isTaken: boolean,
): string | null {
  const address = new URL(location.href)
  const token = address.searchParams.get('auth_token')
  if (token === null) return null
  address.searchParams.delete('auth_token')
  history.replaceState(history.state, '', address)
  return isTaken && TOKEN.test(token) ? token : null
}

/** The master that a token names, unproven: whoever can write can write such a token. */
export function masterNamedIn(token: string): SignedInUser | null {
  try {
    const [, payload = ''] = token.split('.')
    const claims: unknown = JSON.parse(atob(payload.replaceAll('-', '+').replaceAll('_', '/')))
    if (!isRecord(claims) || claims.role !== 'master') return null
    if (typeof claims.adminId !== 'string' || claims.adminId === '') return null
    return { id: claims.adminId, role: 'master', username: 'Master', full_name: null }
  } catch {
    return null
  }
}

/**
 * A token from the address, until the person at this device has said yes or no to it. It is kept in no store, and no page
 * calls with it. `looking`: the server is asked whose it is; `unreachable`: it has not answered.
 */
export type HandOver =
  | { status: 'looking' | 'unreachable'; token: string }
  | { status: 'asking'; token: string; user: SignedInUser; isVerified: boolean }

let current: HandOver | null = null
const listeners = new Set<() => void>()

export function currentHandOver(): HandOver | null {
  return current
}

export function setHandOver(next: HandOver | null) {
  current = next
  for (const listener of listeners) listener()
}

export function subscribeToHandOver(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
