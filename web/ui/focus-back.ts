import { useEffect, useState } from 'react'

/**
 * Remembers what has the focus, and gives it back when called, unless the person has moved on. Of a menu it is the
 * button that opened it: the menu's own items are gone by then.
 */
export function rememberFocus(): () => void {
  const focused = document.activeElement
  const menu = focused?.closest('[role="menu"]')?.getAttribute('aria-labelledby')
  const opener = menu ? document.getElementById(menu) : focused
  return () => {
    const { activeElement: before } = document
    setTimeout(() => {
      const { activeElement: now } = document
      const isLost = now === null || now === document.body || now === before
      if (isLost && opener instanceof HTMLElement) opener.focus({ preventScroll: true })
    })
  }
}

/** Gives the focus back when this part of the page goes, as a dialog does that is there only while it is open. */
export function useFocusBack() {
  const [giveBack] = useState(rememberFocus)
  useEffect(() => giveBack, [giveBack])
}
