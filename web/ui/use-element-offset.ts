import { type RefObject, useLayoutEffect, useState } from 'react'

/** Measures an element's width and its distance from the top of the page, in px. */
export function useElementOffset(ref: RefObject<HTMLElement | null>) {
  const [place, setPlace] = useState({ width: 0, top: 0 })

  useLayoutEffect(() => {
    const { current: element } = ref
    if (!element) return
    const measure = () => {
      const { width, top } = element.getBoundingClientRect()
      const next = { width, top: Math.round(top + window.scrollY) }
      setPlace((last) => (last.width === next.width && last.top === next.top ? last : next))
    }
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    observer.observe(document.body)
    return () => observer.disconnect()
  }, [ref])

  return place
}
