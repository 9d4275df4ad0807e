import '../../../../web/phone/ui/phone.css'
import { flushSync } from 'react-dom'
import { createRoot, type Root } from 'react-dom/client'
import { z } from 'zod'
import { applyLanguage } from '../../../../web/phone/words/language.ts'

z.config({ jitless: true })
const { SCREENS } = await import('./screens.tsx')
const container = document.getElementById('root')
let root: Root | null = null

/** Replaces the screen by a fresh one, without loading the page again. */
async function showScreen(name: string, language: string): Promise<void> {
  const screen = SCREENS[name]
  if (!container || !screen) throw new Error('There is no such screen')
  root?.unmount()
  await applyLanguage(language)
  const next = createRoot(container)
  root = next
  flushSync(() => next.render(screen()))
  window.scrollTo(0, 0)
}

const query = new URLSearchParams(window.location.search)
await showScreen(query.get('screen') ?? '', query.get('language') ?? 'en')
Object.assign(window, { showScreen })
Object.assign(document.documentElement.dataset, { screens: Object.keys(SCREENS).join(' ') })
