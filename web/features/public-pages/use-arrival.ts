import { type RefObject, useEffect, useRef } from 'react'
import { useLocation, useNavigationType } from 'react-router'

/** A page that is opened by a link begins at its top, or at the part that the link names; a keyboard goes on from there. */
export function useArrival(content: RefObject<HTMLElement | null>) {
  const { pathname, hash, key } = useLocation()
  const isBack = useNavigationType() === 'POP'
  const isFirst = useRef(true)

  // biome-ignore lint/correctness/useExhaustiveDependencies: every visit has its key, the same address twice too
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
