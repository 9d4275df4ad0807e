import { useCallback, useEffect, useRef } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { isRecord } from '../../lib/is-record.ts'
import { useOfferedActions } from '../../ui/actions.ts'
import { toast } from '../../ui/toast.tsx'

/** A page that is ready later than this has something to tell first. */
const WAIT_MS = 10_000

type Wanted = { label: string; giveUp: ReturnType<typeof setTimeout> }

/**
 * Opens a page and runs an action there, as soon as the page offers it. The wish stands in the history entry that it
 * opens and in memory: a reload, Back, or a page that is not left after all run nothing.
 */
export function useActOnPage(): (path: string, label: string) => void {
  const navigate = useNavigate()
  const { state }: { state: unknown } = useLocation()
  const offered = useOfferedActions()
  const wanted = useRef<Wanted>(undefined)

  const forget = useCallback(() => {
    clearTimeout(wanted.current?.giveUp)
    wanted.current = undefined
  }, [])
  useEffect(() => forget, [forget])

  useEffect(() => {
    const wish = wanted.current
    if (!wish || !isRecord(state) || state.act !== wish.label) return
    const action = offered.find(({ label }) => label === wish.label)
    if (!action) return
    forget()
    action.run()
  }, [state, offered, forget])

  return useCallback(
    (path, label) => {
      forget()
      const giveUp = setTimeout(() => {
        wanted.current = undefined
        toast.error(`${label} was not done, since the page was not ready for it.`)
      }, WAIT_MS)
      wanted.current = { label, giveUp }
      void navigate(path, { state: { act: label } })
    },
    [navigate, forget],
  )
}
