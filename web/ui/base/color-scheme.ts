import { browserStorage } from '../../lib/storage.ts'

export type Scheme = 'light' | 'dark'

const STORED = 'parley.color-scheme'
const ATTRIBUTE = 'data-mantine-color-scheme'

const listeners = new Set<() => void>()
const system = typeof matchMedia === 'undefined' ? null : matchMedia('(prefers-color-scheme: dark)')
/** A variable, since Chromium sends no `change` event after any code has read the new `matches`. */
let isSystemDark = system?.matches ?? false

/** The toggle sets it; `auto` follows the system. */
let chosen = readStored()

function readStored(): Scheme | 'auto' {
  const stored = browserStorage.read(STORED)
  return stored === 'light' || stored === 'dark' ? stored : 'auto'
}

export function currentScheme(): Scheme {
  if (chosen !== 'auto') return chosen
  return isSystemDark ? 'dark' : 'light'
}

export function chooseScheme(scheme: Scheme) {
  chosen = scheme
  browserStorage.store(STORED, scheme)
  paint()
}

export function subscribeToScheme(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Paints the page in its scheme, now and after a change by the toggle, the system or another tab. */
export function startColorScheme() {
  paint()
  system?.addEventListener('change', ({ matches }) => {
    isSystemDark = matches
    paint()
  })
  window.addEventListener('storage', (event) => {
    if (event.key !== STORED) return
    chosen = readStored()
    paint()
  })
}

function paint() {
  document.documentElement.setAttribute(ATTRIBUTE, currentScheme())
  for (const listener of listeners) listener()
}
