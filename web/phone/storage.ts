/** Stores values on the phone. Where the browser refuses them, they are lost with the page. */
const memory = new Map<string, string>()
const nameOf = (key: string) => `parley.phone.${key}`

type Kept = 'localStorage' | 'sessionStorage'

export function readStored(key: string, kept: Kept = 'localStorage'): string | null {
  try {
    return memory.get(kept + key) ?? window[kept].getItem(nameOf(key))
  } catch {
    return memory.get(kept + key) ?? null
  }
}

export function store(key: string, value: string, kept: Kept = 'localStorage'): void {
  try {
    window[kept].setItem(nameOf(key), value)
    memory.delete(kept + key)
  } catch {
    memory.set(kept + key, value)
  }
}

export function removeStored(key: string, kept: Kept = 'localStorage'): void {
  memory.delete(kept + key)
  try {
    window[kept].removeItem(nameOf(key))
  } catch {
    // There is nothing to remove.
  }
}

/** More than a sign-in stores. */
const SAMPLE = 'x'.repeat(1000)

/** Returns false if the browser blocks the site's data, or has no space left for it. */
export function keepsData(): boolean {
  try {
    window.localStorage.setItem(nameOf('sample'), SAMPLE)
    window.localStorage.removeItem(nameOf('sample'))
    return true
  } catch {
    return false
  }
}
