import { browserStorage, tabStorage } from '../lib/storage.ts'

const AREAS = { localStorage: browserStorage, sessionStorage: tabStorage }
type StorageArea = keyof typeof AREAS

const nameOf = (key: string) => `parley.phone.${key}`

export function readStored(key: string, area: StorageArea = 'localStorage'): string | null {
  return AREAS[area].read(nameOf(key))
}

export function store(key: string, value: string, area: StorageArea = 'localStorage'): void {
  AREAS[area].store(nameOf(key), value)
}

export function removeStored(key: string, area: StorageArea = 'localStorage'): void {
  AREAS[area].remove(nameOf(key))
}

/** More than a sign-in stores. */
const SAMPLE = 'x'.repeat(1000)

/** Returns false if the browser blocks the site's data, or has no space left for it. */
export function canStoreData(): boolean {
  const isStored = browserStorage.store(nameOf('sample'), SAMPLE)
  browserStorage.remove(nameOf('sample'))
  return isStored
}
