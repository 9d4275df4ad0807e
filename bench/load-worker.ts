import { compareRates, measureClockRate, measureWaits } from './load-rates.ts'
import { measureChanges, simulateMeeting } from './load-room.ts'
import { broadcast, openStreams } from './load-streams.ts'
import { runJobs } from './worker.ts'

runJobs({ broadcast, compareRates, measureChanges, measureClockRate, measureWaits, openStreams, simulateMeeting })
