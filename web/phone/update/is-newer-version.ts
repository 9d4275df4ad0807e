/** Returns the address of a page's entry script, whose name changes with each version. */
function entryOf(page: Document): string | null {
  return page.querySelector('script[type="module"][src]')?.getAttribute('src') ?? null
}

/** Returns true if the server has another version of this page; false if there is no response. */
export async function isNewerVersionDeployed(running: Document = document): Promise<boolean> {
  try {
    const answer = await fetch(`${window.location.origin}/`, { cache: 'no-store' })
    if (!answer.ok) return false
    const newest = entryOf(new DOMParser().parseFromString(await answer.text(), 'text/html'))
    return newest !== null && newest !== entryOf(running)
  } catch {
    return false
  }
}
