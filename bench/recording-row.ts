import { aLargeRecording } from '../test/large-recording.ts'
import type { Row } from './row.ts'

const MIB = 1024 ** 2
const GIB = 1024 ** 3
const MOST_MIB = 32
const SLOW_SECONDS = 20

/** A whole recording of 1 GB on its way from Zoom's file host to a player: at first slowly, then as fast as it goes. */
export const recordingRow: Row = {
  name: 'recording',
  rooms: [],
  async measure() {
    const large = await aLargeRecording(GIB)
    try {
      const { growth } = await large.growthWhileRead(SLOW_SECONDS)
      const mib = growth / MIB
      return [
        {
          path: `1 GB recording, ${SLOW_SECONDS} s of it at 1 MB/s: memory`,
          product: `${mib.toFixed(1)} MB`,
          limit: '1024 MB',
          ratio: null,
          goal: `under ${MOST_MIB} MB`,
          isMet: mib < MOST_MIB,
        },
      ]
    } finally {
      await large.close()
    }
  },
}
