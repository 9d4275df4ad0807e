import { useEffect } from 'react'

const DOUBLE_TAP_MS = 500
/** As far as a thumb misses itself. */
const DOUBLE_TAP_PX = 40

type Tap = Pick<MouseEvent, 'detail' | 'timeStamp' | 'clientX' | 'clientY'>

/** Of all screens, since the first tap may bring another one. */
let last: Tap | null = null

/** For a screen whose buttons give way to others: the second tap of a double tap would press what has just appeared. */
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

/** A key's click is none of a series, and a screen reader's is at no place. */
function hasPlace({ detail, clientX, clientY }: Tap): boolean {
  return detail > 0 && (clientX !== 0 || clientY !== 0)
}

/** By its count where the browser counts taps, else by its own time, since a busy phone handles it late. */
function isSecond(first: Tap, { detail, timeStamp, clientX, clientY }: Tap): boolean {
  const px = Math.hypot(clientX - first.clientX, clientY - first.clientY)
  return px < DOUBLE_TAP_PX && (detail > 1 || timeStamp - first.timeStamp < DOUBLE_TAP_MS)
}
