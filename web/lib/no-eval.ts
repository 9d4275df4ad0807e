import { z } from 'zod'

// Must run before any schema is built: Zod tests whether it may compile code, which the page's policy forbids and
// Firefox reports.
z.config({ jitless: true })
