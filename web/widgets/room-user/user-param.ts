import { useCallback } from 'react'
import { useLocation, useNavigate, useSearchParams } from 'react-router'
import { isRecord } from '../../lib/is-record.ts'

const NAME = 'user'
/** State of the history entry: the entry before it is the same page without the panel. */
const OPENED_HERE = { panelOpenedHere: true }

/** Returns the address of the open page with this user's panel beside it. */
function withUser(params: URLSearchParams, id: string): string {
  const next = new URLSearchParams(params)
  next.set(NAME, id)
  return `?${next}`
}

/**
 * Makes the props of a link to a user's panel. A link from one panel to the next replaces the entry, so that Back
 * closes both.
 */
export function useUserPanelLink() {
  const [params] = useSearchParams()
  const { state }: { state: unknown } = useLocation()
  const isOpen = params.has(NAME)
  return useCallback(
    (id: string) => ({
      to: withUser(params, id),
      replace: isOpen,
      state: isOpen ? state : OPENED_HERE,
      preventScrollReset: true,
    }),
    [params, isOpen, state],
  )
}

export function useOpenUserPanel() {
  const navigate = useNavigate()
  const linkTo = useUserPanelLink()
  return useCallback(
    ({ id }: { id: string }) => {
      const { to, ...options } = linkTo(id)
      void navigate(to, options)
    },
    [navigate, linkTo],
  )
}

/** Reads the user id of the open panel from the address. */
export function useUserParam(): { userId: string | null; close: () => void } {
  const [params, setParams] = useSearchParams()
  const { state }: { state: unknown } = useLocation()
  const navigate = useNavigate()
  const close = useCallback(() => {
    if (isRecord(state) && state.panelOpenedHere === true) return void navigate(-1)
    setParams(
      (now) => {
        now.delete(NAME)
        return now
      },
      { replace: true, preventScrollReset: true },
    )
  }, [state, navigate, setParams])
  return { userId: params.get(NAME) || null, close }
}
