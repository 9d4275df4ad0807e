import { useLayoutEffect, useRef } from 'react'

/** Keeps the position of the bar's lower edge in `--below-bar`, so that sticky elements stay clear of it. */
export function useBarHeight() {
  const ref = useRef<HTMLElement>(null)
  useLayoutEffect(() => {
    const { current: bar } = ref
    const page = bar?.parentElement
    if (!bar || !page) return
    const measure = () => {
      const top = Number.parseFloat(getComputedStyle(bar).top) || 0
      page.style.setProperty('--below-bar', `${top + bar.offsetHeight}px`)
    }
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(bar)
    return () => observer.disconnect()
  }, [])
  return ref
}
