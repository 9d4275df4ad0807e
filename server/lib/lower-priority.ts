import { readdirSync } from 'node:fs'
import { constants, setPriority } from 'node:os'

/** Lets every other process run first. Linux keeps a priority for each thread, of which Node.js has several. */
export function lowerPriority(threadsIn = '/proc/self/task'): void {
  let threads: number[]
  try {
    threads = readdirSync(threadsIn).map(Number)
  } catch {
    threads = [0] // of another system: this process
  }
  for (const thread of threads) {
    try {
      setPriority(thread, constants.priority.PRIORITY_LOW)
    } catch {} // the thread has ended, or the system does not permit it: a backup that competes is still one
  }
}
