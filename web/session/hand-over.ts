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
export function masterNamedIn(token: string): string | null {
  try {
    const [, payload = ''] = token.split('.')
    const claims: unknown = JSON.parse(atob(payload.replaceAll('-', '+').replaceAll('_', '/')))
    if (!isRecord(claims) || claims.role !== 'master') return null
    return typeof claims.adminId === 'string' && claims.adminId !== '' ? claims.adminId : null
  } catch {
    return null
  }
}

/** A handed-over token of somebody else than the one who is signed in: nobody is replaced without being asked. */
export type Offer = { token: string; user: SignedInUser }

let offer: Offer | null = null
const listeners = new Set<() => void>()

export function currentOffer(): Offer | null {
  return offer
}

export function makeOffer(next: Offer | null) {
  offer = next
  for (const listener of listeners) listener()
}

export function subscribeToOffer(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
