import { setImmediate as nextTurn } from 'node:timers/promises'

/** Waits for this many turns of the event loop, to reach a point within pending work without a clock. */
export async function eventLoopTurns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn++) await nextTurn()
}
