import type { JoinToken } from './memory.ts'
import type { Account } from './state.ts'
import type { Zoom } from './zoom.ts'

type TokenRequest = { seconds: number } & ({ kind: 'zak' } | { kind: 'onbehalf'; meeting_id: number })

export function newJoinToken(zoom: Zoom, account: Account, { seconds, ...wanted }: TokenRequest): string {
  const token = zoom.newToken()
  dropExpired(zoom)
  const held = { user_id: account.id, expires_at: zoom.now() + seconds * 1000 }
  zoom.memory.joinTokens.set(
    token,
    wanted.kind === 'zak' ? { ...held, ...wanted } : { ...held, ...wanted, isSpent: false },
  )
  return token
}

/** Drops the oldest first. Tokens pile up, as each response about a meeting puts one into its start link. */
function dropExpired(zoom: Zoom) {
  for (const [token, { expires_at }] of zoom.memory.joinTokens) {
    if (expires_at > zoom.now()) return
    zoom.memory.joinTokens.delete(token)
  }
}

/** Finds spent tokens too, but no expired ones and no other kinds. */
export function findJoinToken<K extends JoinToken['kind']>(zoom: Zoom, kind: K, token: string) {
  const held = zoom.memory.joinTokens.get(token)
  if (!held || held.expires_at <= zoom.now()) return undefined
  return isOfKind(held, kind) ? held : undefined
}

const isOfKind = <K extends JoinToken['kind']>(held: JoinToken, kind: K): held is Extract<JoinToken, { kind: K }> =>
  held.kind === kind
