import { readStored, removeStored, store } from '../storage.ts'

/** Of a remembered phone, or of this tab alone. */
export function keptToken(): string | null {
  return readStored('token', 'sessionStorage') ?? readStored('token')
}

/** `link` is the one-time link that was spent for it, which opens nothing any more. */
export function keepToken(token: string, remember: boolean, link?: string): void {
  dropToken()
  store('token', token, remember ? 'localStorage' : 'sessionStorage')
  if (link) store('link', link)
}

/** The token of the session for which this phone has spent the link, if it still has one. */
export function tokenOfLink(link: string): string | null {
  return readStored('link') === link ? keptToken() : null
}

/** The session that this phone has now, unless it is the one for which it has spent this link. */
export function tokenBeside(link: string): string | null {
  return tokenOfLink(link) === null ? keptToken() : null
}

export function dropToken(): void {
  removeStored('link')
  removeStored('token')
  removeStored('token', 'sessionStorage')
}
