import { serveLargeRecording } from '../../test/processes/large-recording.ts'
import { type Benchmark, formatMb, goalUnder } from '../benchmark.ts'

const MIB = 1024 ** 2
const GIB = 1024 ** 3
const GOAL_MB = 32
const SLOW_SECONDS = 20

/** Streams a recording from Zoom's file host to a player: slowly at first, then at full speed. */
export const recording: Benchmark = {
  name: 'recording',
  async run() {
    const large = await serveLargeRecording(GIB)
    try {
      const { growth } = await large.growthWhileRead(SLOW_SECONDS)
      const path = `1 GB recording, ${SLOW_SECONDS} s of it at 1 MB/s: memory`
      return [goalUnder(path, growth / MIB, GOAL_MB, formatMb, { limit: '1024 MB' })]
    } finally {
      await large.close()
    }
  },
}
