import { useEffect, useEffectEvent, useState } from 'react'
import { CallFailure } from '../../../shared/phone/call.ts'
import type { Login } from '../../../shared/phone/phone.ts'
import type { LinkOwner } from '../../../shared/sign-in-links.ts'
import type { LinkParams } from './address.ts'
import { findLinkOwner, restoreSession } from './calls.ts'

/** Looks up the link's user; null while pending, or if the lookup fails. */
export function useLinkOwner({ hostId, linkToken }: LinkParams, onInvalid: (error: unknown) => void): LinkOwner | null {
  const [owner, setOwner] = useState<LinkOwner | null>(null)
  const invalid = useEffectEvent(onInvalid)
  useEffect(() => {
    const leaving = new AbortController()
    findLinkOwner(hostId, linkToken, leaving.signal).then(setOwner, (error: unknown) => {
      const isInvalid = error instanceof CallFailure && error.code === 'link_invalid'
      if (isInvalid && !leaving.signal.aborted) invalid(error)
    })
    return () => leaving.abort()
  }, [hostId, linkToken])
  return owner
}

export type CurrentLogin = Login | 'unknown' | null

/** Looks up the phone's current login: `unknown` if that fails, null without one, undefined at first. */
export function useCurrentLogin(token: string | null): CurrentLogin | undefined {
  const [known, setKnown] = useState<{ token: string; login: CurrentLogin } | null>(null)
  useEffect(() => {
    if (token === null) return
    let isOver = false
    const settle = (login: CurrentLogin) => {
      if (!isOver) setKnown({ token, login })
    }
    restoreSession(token).then(settle, (error: unknown) => {
      const hasEnded = error instanceof CallFailure && (error.status === 401 || error.status === 404)
      settle(hasEnded ? null : 'unknown')
    })
    return () => {
      isOver = true
    }
  }, [token])
  if (token === null) return null
  return known?.token === token ? known.login : undefined
}
