import { useSyncExternalStore } from 'react'
import { readStored, removeStored, store } from '../storage.ts'

/** Stored for this tab, or on a remembered phone. */
export function storedToken(): string | null {
  return readStored('token', 'sessionStorage') ?? readStored('token')
}

/** Follows what other tabs keep and drop. */
export function useStoredToken(): string | null {
  return useSyncExternalStore(onOtherTabs, storedToken)
}

/** `link` is the one-time link that this session used up. */
export function storeToken(token: string, remember: boolean, link?: string): void {
  removeStored('link')
  removeStored('token')
  removeStored('token', 'sessionStorage')
  store('token', token, remember ? 'localStorage' : 'sessionStorage')
  if (link) store('link', link)
}

/** Returns the token of the session that used the link up, if this phone still has it. */
export function storedTokenOfLink(link: string): string | null {
  return readStored('link') === link ? readStored('token') : null
}

/** Returns the phone's current token, unless its session used this link up. */
export function storedTokenUnlessOfLink(link: string): string | null {
  return storedTokenOfLink(link) === null ? storedToken() : null
}

/** Another tab may have kept a newer token meanwhile, which stays. */
export function removeToken(token: string): void {
  if (readStored('token', 'sessionStorage') === token) removeStored('token', 'sessionStorage')
  if (readStored('token') !== token) return
  removeStored('token')
  removeStored('link')
}

function onOtherTabs(listener: () => void): () => void {
  window.addEventListener('storage', listener)
  return () => window.removeEventListener('storage', listener)
}
