import { type RefCallback, useCallback } from 'react'

const ROW = 'li, tr, [data-row]'

/**
 * Gives the focus of a row that has gone to the row after it, else to the one before it, else to the element of this id:
 * it would fall to the start of the page otherwise. The returned ref belongs to an element around the lists.
 */
export function useFocusNeighbour(fallbackId: string): RefCallback<HTMLElement> {
  return useCallback(
    (section: HTMLElement | null) => (section ? followFocus(section, fallbackId) : undefined),
    [fallbackId],
  )
}

function followFocus(section: HTMLElement, fallbackId: string): () => void {
  let row: Element | null = null
  let rows: Element[] = []
  const note = (focused: Element | null) => {
    row = focused?.closest(ROW) ?? null
    rows = [...(row?.parentElement?.children ?? [])]
  }
  const handleFocus = ({ target }: FocusEvent) => note(target instanceof Element ? target : null)
  // Some browsers say that the focus leaves a row that goes. Nobody has turned elsewhere then.
  const handleBlur = ({ target }: FocusEvent) =>
    queueMicrotask(() => {
      if (target instanceof Element && target.isConnected && row?.contains(target)) note(null)
    })
  const observer = new MutationObserver(() => {
    if (!row || row.isConnected) return note(row)
    const at = rows.indexOf(row)
    const neighbour = [...rows.slice(at + 1), ...rows.slice(0, at).reverse()].find((one) => one.isConnected)
    note(null)
    if (document.activeElement !== document.body) return
    const next = neighbour?.querySelector<HTMLElement>('button:enabled') ?? document.getElementById(fallbackId)
    next?.focus({ preventScroll: true })
  })
  section.addEventListener('focusin', handleFocus)
  section.addEventListener('focusout', handleBlur)
  observer.observe(section, { childList: true, subtree: true })
  return () => {
    section.removeEventListener('focusin', handleFocus)
    section.removeEventListener('focusout', handleBlur)
    observer.disconnect()
  }
}
