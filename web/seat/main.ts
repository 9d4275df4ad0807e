import { z } from 'zod'

z.config({ jitless: true }) // the page's policy only permits Zoom's code to use eval

// A separate module, since static imports here would run first.
void import('./start-seat.ts').then(({ startSeat }) => startSeat())
