const DOUBLE_TAP_MS = 500

/** Call when a tap brings another screen: its second tap would press whatever appears at the same place. */
export function ignoreDoubleTap(): void {
  const ignore = (event: Event) => {
    event.stopPropagation()
    event.preventDefault()
  }
  document.addEventListener('click', ignore, { capture: true })
  setTimeout(() => document.removeEventListener('click', ignore, { capture: true }), DOUBLE_TAP_MS)
}
