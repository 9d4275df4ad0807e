/** The address of the script that a page begins with; its name changes with each version. */
function entryOf(page: Document): string | null {
  return page.querySelector('script[type="module"][src]')?.getAttribute('src') ?? null
}

/** Whether the server has another version of this page by now. Without an answer nothing is new. */
export async function isNewerVersionThere(running: Document = document): Promise<boolean> {
  try {
    const answer = await fetch(`${window.location.origin}/`, { cache: 'no-store' })
    if (!answer.ok) return false
    const newest = entryOf(new DOMParser().parseFromString(await answer.text(), 'text/html'))
    return newest !== null && newest !== entryOf(running)
  } catch {
    return false
  }
}
