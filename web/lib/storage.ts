/** The browser's storage. What it refuses (site data blocked, or no space left) is kept in the page's memory. */
function safeStorage(area: 'localStorage' | 'sessionStorage') {
  const memory = new Map<string, string>()
  return {
    read(key: string): string | null {
      try {
        return memory.get(key) ?? globalThis[area].getItem(key)
      } catch {
        return memory.get(key) ?? null
      }
    },

    /** Returns false if the value is lost with the page. */
    store(key: string, value: string): boolean {
      try {
        globalThis[area].setItem(key, value)
        memory.delete(key)
        return true
      } catch {
        memory.set(key, value)
        return false
      }
    },

    remove(key: string): void {
      memory.delete(key)
      try {
        globalThis[area].removeItem(key)
      } catch {
        // There is nothing to remove.
      }
    },
  }
}

export const browserStorage = safeStorage('localStorage')
export const tabStorage = safeStorage('sessionStorage')
