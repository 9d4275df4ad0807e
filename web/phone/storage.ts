/** Stores values on the phone. In a browser without storage they are lost with the page. */
const memory = new Map<string, string>()
const nameOf = (key: string) => `parley.phone.${key}`

type Kept = 'localStorage' | 'sessionStorage'

export function readStored(key: string, kept: Kept = 'localStorage'): string | null {
  try {
    return window[kept].getItem(nameOf(key)) ?? memory.get(kept + key) ?? null
  } catch {
    return memory.get(kept + key) ?? null
  }
}

export function store(key: string, value: string, kept: Kept = 'localStorage'): void {
  try {
    window[kept].setItem(nameOf(key), value)
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
