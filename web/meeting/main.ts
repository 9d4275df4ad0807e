import { z } from 'zod'

z.config({ jitless: true }) // the page's policy allows Zoom's code to be evaluated, not ours

// A module of its own, since whatever is imported here runs first.
void import('./start-frame.ts').then(({ startFrame }) => startFrame())
