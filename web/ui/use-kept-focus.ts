import { useRef } from 'react'

/** Gives the focus to a heading when the button that had it goes with its line. */
export function useKeptFocus() {
  const heading = useRef<HTMLHeadingElement>(null)

  function keepFocus(pressed: Element) {
    const { activeElement: now } = document
    if (now === pressed || now === document.body) heading.current?.focus({ preventScroll: true })
  }

  return { heading, keepFocus }
}
