import { readStored, removeStored, store } from '../storage.ts'

/** Stored for this tab, or on a remembered phone. */
export function keptToken(): string | null {
  return readStored('token', 'sessionStorage') ?? readStored('token')
}

/** `link` is the one-time link that this session used up. */
export function keepToken(token: string, remember: boolean, link?: string): void {
  dropToken()
  store('token', token, remember ? 'localStorage' : 'sessionStorage')
  if (link) store('link', link)
}

/** Returns the token of the session that used the link up, if this phone still has it. */
export function tokenOfLink(link: string): string | null {
  return readStored('link') === link ? keptToken() : null
}

/** Returns the phone's current token, unless its session used this link up. */
export function tokenBeside(link: string): string | null {
  return tokenOfLink(link) === null ? keptToken() : null
}

export function dropToken(): void {
  removeStored('link')
  removeStored('token')
  removeStored('token', 'sessionStorage')
}
