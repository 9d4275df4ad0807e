import { useCallback, useMemo, useSyncExternalStore } from 'react'
import type { z } from 'zod'
import { browserStorage } from '../lib/storage.ts'

const listeners = new Set<() => void>()

function subscribe(listener: () => void) {
  listeners.add(listener)
  window.addEventListener('storage', listener) // another tab's
  return () => {
    listeners.delete(listener)
    window.removeEventListener('storage', listener)
  }
}

/** Keeps a choice in this browser; without storage, as where site data is blocked, until the page is left. */
export function useStored<T>(key: string, schema: z.ZodType<T>, fallback: T) {
  const text = useSyncExternalStore(subscribe, () => browserStorage.read(key))
  const value = useMemo(() => parse(text, schema) ?? fallback, [text, schema, fallback])
  const store = useCallback(
    (chosen: T) => {
      browserStorage.store(key, JSON.stringify(chosen))
      for (const listener of listeners) listener()
    },
    [key],
  )
  return [value, store] as const
}

function parse<T>(text: string | null, schema: z.ZodType<T>): T | undefined {
  try {
    return schema.safeParse(JSON.parse(text ?? '')).data
  } catch {
    return undefined
  }
}
