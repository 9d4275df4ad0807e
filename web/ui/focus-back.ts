import { useEffect, useState } from 'react'

/**
 * Remembers the focused element and focuses it again when called, unless the person has moved on. If a menu item has
 * the focus, it remembers the button that opened the menu, since the items disappear.
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

/** Returns the focus when the component unmounts, as a dialog does that is mounted only while it is open. */
export function useFocusBack() {
  const [giveBack] = useState(rememberFocus)
  useEffect(() => giveBack, [giveBack])
}
