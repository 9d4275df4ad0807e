import { useEffect } from 'react'

const DOUBLE_TAP_MS = 500
/** Pixels between the two taps of a thumb. */
const DOUBLE_TAP_PX = 40

type Tap = Pick<MouseEvent, 'detail' | 'timeStamp' | 'clientX' | 'clientY'>

let last: Tap | null = null

/**
 * Ignores the second tap of a double tap, and the second press of a key: it would press a button that has just appeared or
 * just got the focus.
 */
export function useSingleTaps(): void {
  useEffect(() => {
    document.addEventListener('click', guard, { capture: true })
    document.addEventListener('keydown', forgetAtMove, { capture: true })
    return () => {
      document.removeEventListener('click', guard, { capture: true })
      document.removeEventListener('keydown', forgetAtMove, { capture: true })
    }
  }, [])
}

function guard(event: MouseEvent): void {
  if (!last || !isSecond(last, event) || !isOnButton(event)) {
    last = isByKey(event) || hasPlace(event) ? event : null
    return
  }
  event.stopPropagation()
  event.preventDefault()
}

/** Once another key, such as Tab, has moved the focus, the next press is meant. */
function forgetAtMove({ key }: KeyboardEvent): void {
  if (key !== 'Enter' && key !== ' ') last = null
}

/** A tap on a label clicks its checkbox too, in the same place. */
const isOnButton = ({ target }: Event) => target instanceof Element && target.closest('button, a') !== null

const isByKey = ({ detail }: Tap) => detail === 0

/** A screen reader's clicks have no position. */
const hasPlace = ({ clientX, clientY }: Tap) => clientX !== 0 || clientY !== 0

/** Uses the browser's tap count if it has one, else the event's own time, since a busy phone handles it late. */
function isSecond(first: Tap, next: Tap): boolean {
  const isSoon = next.timeStamp - first.timeStamp < DOUBLE_TAP_MS
  if (isByKey(first) || isByKey(next)) return isByKey(first) && isByKey(next) && isSoon
  const px = Math.hypot(next.clientX - first.clientX, next.clientY - first.clientY)
  return px < DOUBLE_TAP_PX && (next.detail > 1 || isSoon)
}
