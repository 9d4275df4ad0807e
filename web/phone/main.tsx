import './ui/phone.css'
import { z } from 'zod'

// Before a schema is built: the probe whether code may be made at run time is against the page's policy.
z.config({ jitless: true })
// A module of its own, since whatever is imported here runs first. The page's first words are painted before it, as a slow
// phone takes a while to run it; a page that is opened in the background is not painted.
const start = () => void import('./start.tsx')
if (document.hidden) start()
else requestAnimationFrame(() => setTimeout(start))
