import { useEffect } from 'react'

const DOUBLE_TAP_MS = 500
/** Pixels between the two taps of a thumb. */
const DOUBLE_TAP_PX = 40

type Tap = Pick<MouseEvent, 'detail' | 'timeStamp' | 'clientX' | 'clientY'>

/** Shared by all screens, since the first tap may open another one. */
let last: Tap | null = null

/** Ignores the second tap of a double tap, for screens on which it would press a button that has just appeared. */
export function useSingleTaps(): void {
  useEffect(() => {
    document.addEventListener('click', guard, { capture: true })
    return () => document.removeEventListener('click', guard, { capture: true })
  }, [])
}

function guard(event: MouseEvent): void {
  if (!last || !isSecond(last, event)) {
    last = hasPlace(event) ? event : null
    return
  }
  event.stopPropagation()
  event.preventDefault()
}

/** Keyboard clicks belong to no series, and a screen reader's have no position. */
function hasPlace({ detail, clientX, clientY }: Tap): boolean {
  return detail > 0 && (clientX !== 0 || clientY !== 0)
}

/** Uses the browser's tap count if it has one, else the event's own time, since a busy phone handles it late. */
function isSecond(first: Tap, { detail, timeStamp, clientX, clientY }: Tap): boolean {
  const px = Math.hypot(clientX - first.clientX, clientY - first.clientY)
  return px < DOUBLE_TAP_PX && (detail > 1 || timeStamp - first.timeStamp < DOUBLE_TAP_MS)
}
