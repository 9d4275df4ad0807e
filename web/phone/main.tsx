import './ui/phone.css'
import { z } from 'zod'

// Before a schema is built: the probe whether code may be made at run time is against the page's policy.
z.config({ jitless: true })
// A module of its own, since whatever is imported here runs first.
void import('./start.tsx')
