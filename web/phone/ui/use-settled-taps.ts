import { type MouseEvent, useLayoutEffect, useRef } from 'react'

/** A tap this soon after others have taken a button's place was meant for that one. */
const SETTLED_MS = 500
/** A change this soon after a tap is its effect, so the person expects it. */
const EFFECT_MS = 3000

/**
 * Returns a handler of clicks for a row of buttons that the host may change under the thumb: it ignores taps right after
 * such a change. `shown` names the buttons; null if there are none.
 */
export function useSettledTaps(shown: string | null) {
  const row = useRef({ shown, changedAt: -Infinity, tappedAt: -Infinity })

  useLayoutEffect(() => {
    const { current } = row
    if (shown === current.shown) return
    const now = performance.now()
    const isExpected = current.shown === null || now - current.tappedAt < EFFECT_MS
    row.current = { shown, changedAt: isExpected ? -Infinity : now, tappedAt: -Infinity }
  }, [shown])

  return (event: MouseEvent) => {
    const { detail, timeStamp, clientX, clientY } = event
    const isTap = detail > 0 && (clientX !== 0 || clientY !== 0) // neither a key's nor a screen reader's
    if (!isTap || timeStamp - row.current.changedAt >= SETTLED_MS) {
      row.current.tappedAt = timeStamp
      return
    }
    event.stopPropagation()
    event.preventDefault()
  }
}
