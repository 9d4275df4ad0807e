const DOUBLE_TAP_MS = 500

/** Call when a tap brings another screen: its second tap would press whatever appears at the same place. */
export function ignoreDoubleTap(): void {
  const since = performance.now()
  const ignore = (event: MouseEvent) => {
    // On a busy phone the second tap is handled late; its count and its own time tell what it belongs to.
    const isSecondTap = event.detail > 1 || event.timeStamp - since < DOUBLE_TAP_MS
    if (!isSecondTap) return document.removeEventListener('click', ignore, { capture: true })
    event.stopPropagation()
    event.preventDefault()
  }
  document.addEventListener('click', ignore, { capture: true })
}
