import { bustle } from './load-bustle.ts'
import { measureChanges } from './load-changes.ts'
import { compareRates, measureClockRate, measureWaits } from './load-rate.ts'
import { openStreams, tellAll } from './load-streams.ts'
import { answerCalls } from './remote.ts'

/** The load, in a process of its own. */
answerCalls({ bustle, compareRates, measureClockRate, measureWaits, measureChanges, openStreams, tellAll })
