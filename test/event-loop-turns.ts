import { setImmediate as nextTurn } from 'node:timers/promises'

/** Lets the event loop turn this often, to reach a point within running work without a clock. */
export async function eventLoopTurns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn++) await nextTurn()
}
