import { type RefObject, useEffect, useRef } from 'react'
import { useLocation, useNavigationType } from 'react-router'

/**
 * Starts a page opened by a link at its top, or at the part that the link names, and moves the keyboard focus there.
 */
export function useArrival(content: RefObject<HTMLElement | null>) {
  const { pathname, hash, key } = useLocation()
  const isBack = useNavigationType() === 'POP'
  const isFirst = useRef(true)

  // biome-ignore lint/correctness/useExhaustiveDependencies: every visit has its key, even to the same address
  useEffect(() => {
    const isLoad = isFirst.current
    isFirst.current = false
    const part = hash ? document.getElementById(hash.slice(1)) : null
    if (part) {
      part.scrollIntoView()
      if (!isLoad) part.focus({ preventScroll: true })
    } else if (!isLoad && !isBack) {
      window.scrollTo(0, 0)
      content.current?.focus({ preventScroll: true })
    }
  }, [pathname, hash, key])
}
