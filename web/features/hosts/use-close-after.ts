import { useEffect } from 'react'

/** Long enough to read that it is done. */
const CLOSE_AFTER_MS = 2000

/** Closes a dialog by itself, a moment after its action is done. */
export function useCloseAfter(done: boolean, onClose: () => void) {
  useEffect(() => {
    if (!done) return
    const closing = setTimeout(onClose, CLOSE_AFTER_MS)
    return () => clearTimeout(closing)
  }, [done, onClose])
}
