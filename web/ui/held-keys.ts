/** A key that is held down presses once: each repeat of Enter would click whatever has the focus by then. */
export function ignoreHeldEnter(): void {
  window.addEventListener('keydown', ignoreRepeat, { capture: true })
}

/** A held space needs none of this, since it clicks when it is let go; and Enter repeats in a text. */
function ignoreRepeat(event: KeyboardEvent): void {
  if (!event.repeat || event.key !== 'Enter' || event.target instanceof HTMLTextAreaElement) return
  event.preventDefault()
  event.stopPropagation()
}
