import '../../../../web/phone/ui/phone.css'
import { createRoot } from 'react-dom/client'
import { z } from 'zod'
import { applyLanguage } from '../../../../web/phone/words/language.ts'

z.config({ jitless: true })
const { SCREENS } = await import('./screens.tsx')
const query = new URLSearchParams(window.location.search)
await applyLanguage(query.get('language') ?? 'en')
const root = document.getElementById('root')
const screen = SCREENS[query.get('screen') ?? '']
if (!root || !screen) throw new Error('There is no such screen')
createRoot(root).render(screen())
Object.assign(document.documentElement.dataset, { screens: Object.keys(SCREENS).join(' ') })
