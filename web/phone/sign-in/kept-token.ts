import { readStored, removeStored, store } from '../storage.ts'

/** Of a remembered phone, or of this tab alone. */
export function keptToken(): string | null {
  return readStored('token', 'sessionStorage') ?? readStored('token')
}

export function keepToken(token: string, remember: boolean): void {
  dropToken()
  store('token', token, remember ? 'localStorage' : 'sessionStorage')
}

export function dropToken(): void {
  removeStored('token')
  removeStored('token', 'sessionStorage')
}
