import { compareRates, measureWaits } from './load-rate.ts'
import { openStreams, tellAll } from './load-streams.ts'
import { answerCalls } from './remote.ts'

/** The load, in a process of its own. */
answerCalls({ compareRates, measureWaits, openStreams, tellAll })
