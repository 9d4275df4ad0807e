import { browserStorage, tabStorage } from '../lib/storage.ts'

const AREAS = { localStorage: browserStorage, sessionStorage: tabStorage }
type Kept = keyof typeof AREAS

const nameOf = (key: string) => `parley.phone.${key}`

export function readStored(key: string, kept: Kept = 'localStorage'): string | null {
  return AREAS[kept].read(nameOf(key))
}

export function store(key: string, value: string, kept: Kept = 'localStorage'): void {
  AREAS[kept].store(nameOf(key), value)
}

export function removeStored(key: string, kept: Kept = 'localStorage'): void {
  AREAS[kept].remove(nameOf(key))
}

/** More than a sign-in stores. */
const SAMPLE = 'x'.repeat(1000)

/** Returns false if the browser blocks the site's data, or has no space left for it. */
export function keepsData(): boolean {
  const isKept = browserStorage.store(nameOf('sample'), SAMPLE)
  browserStorage.remove(nameOf('sample'))
  return isKept
}
