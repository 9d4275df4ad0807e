declare global {
  interface Window {
    /** The texts of toasts that no test has awaited yet. */
    shownToasts: string[]
  }
}

/** Records every toast of this window: each is visible for 4 seconds, which a busy machine could miss. */
export function recordToasts(): MutationObserver {
  const shown: string[] = []
  window.shownToasts = shown
  const note = (node: Node) => {
    if (!(node instanceof HTMLElement) || !node.parentElement?.closest('section[aria-label$="essages"]')) return
    const message = node.querySelector('p, .mantine-Notification-description')
    const buttons = [...(message?.querySelectorAll('button') ?? [])].map(({ textContent }) => textContent)
    if (message) shown.push(buttons.reduce((text, button) => text.replace(button, ''), message.textContent))
  }
  const observer = new MutationObserver((records) => {
    for (const { addedNodes } of records) addedNodes.forEach(note)
  })
  observer.observe(document, { childList: true, subtree: true })
  return observer
}
