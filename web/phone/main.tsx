import './ui/phone.css'
import { z } from 'zod'

// Must run before the first schema: the probe for eval violates the page's policy.
z.config({ jitless: true })
// A separate module, since static imports here would run first. The initial text is painted before it, as a slow phone
// takes a while to run it. A page that opens in the background is not painted.
const start = () => void import('./start.tsx')
if (document.hidden) start()
else requestAnimationFrame(() => setTimeout(start))
