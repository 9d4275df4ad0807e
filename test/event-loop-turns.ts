import { setImmediate as nextTurn } from 'node:timers/promises'

/** Lets the event loop go round this often: a moment somewhere within what is under way, found without a clock. */
export async function eventLoopTurns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn++) await nextTurn()
}
