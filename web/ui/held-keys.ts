/** Makes a held key press only once: each repeat of Enter would click the element with the focus at that moment. */
export function ignoreHeldEnter(): void {
  window.addEventListener('keydown', ignoreRepeat, { capture: true })
}

/** Ignores only Enter outside of texts: a held space clicks on release, and in a text Enter may repeat. */
function ignoreRepeat(event: KeyboardEvent): void {
  if (!event.repeat || event.key !== 'Enter' || event.target instanceof HTMLTextAreaElement) return
  event.preventDefault()
  event.stopPropagation()
}
