import { createStore } from 'zustand/vanilla'
import { isRecord } from '../is-record.ts'
import type { SignedInUser } from './session.ts'

/** Characters that are valid in a header; our tokens have no others. */
const TOKEN = /^[\w.~+/=-]{1,4096}$/

/** Removes a token from the address before anything else reads the address, and returns it if `isTaken`. */
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

/** Returns the master named in a token, unverified: anyone can write such a token. */
export function readMasterClaims(token: string): SignedInUser | null {
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
 * A token from the address, until the person has accepted or refused it. It is stored nowhere, and no page sends it.
 * `verifying`: the server is looking up its user; `unreachable`: the server did not answer.
 */
export type HandOver =
  | { status: 'verifying' | 'unreachable'; token: string }
  | { status: 'asking'; token: string; user: SignedInUser; isVerified: boolean }

export const handOverStore = createStore<{ handOver: HandOver | null }>()(() => ({ handOver: null }))
export const currentHandOver = () => handOverStore.getState().handOver
export const setHandOver = (handOver: HandOver | null) => handOverStore.setState({ handOver })
