import { useCallback } from 'react'
import { useSearchParams } from 'react-router'

const PARAM = 'view'
const WALL = 'wall'

export const WALL_ADDRESS = `/host/online?${PARAM}=${WALL}`
/** A second press leads to the window that is open already. */
export const WALL_WINDOW = 'parley-wall'

/** Tells by the address whether the wall view is open, so that a reload keeps it. */
export function useWall(): { isOpen: boolean; close: () => void } {
  const [params, setParams] = useSearchParams()
  const close = useCallback(
    () =>
      setParams(
        (before) => {
          before.delete(PARAM)
          return before
        },
        { replace: true },
      ),
    [setParams],
  )
  return { isOpen: params.get(PARAM) === WALL, close }
}
