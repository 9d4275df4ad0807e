import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** V8's young generation takes up to 64 MB under load, and shrinks only when it is collected. At rest, that takes hours. */
const INTERVAL_MS = 60_000

setFlagsFromString('--expose-gc')
const collect: NodeJS.GCFunction = runInNewContext('gc')

/** V8 never makes its young generation smaller than this flag says. */
const SMALLEST = /^--min[-_]semi[-_]space[-_]size=/

/**
 * Gives back what only the start needed. Without a smallest size on the command line V8 would go on with the smallest
 * young generation of all, with which polls cost a sixth more.
 */
export function shrinkAfterStart(flags = process.execArgv): void {
  if (flags.some((flag) => SMALLEST.test(flag))) collect({ type: 'major', execution: 'sync', flavor: 'last-resort' })
}

/** Lets V8 shrink its young generation, which it does if the process has allocated little in between. */
export function shrinkWhenIdle(intervalMs = INTERVAL_MS): void {
  setInterval(() => collect({ type: 'minor', execution: 'sync' }), intervalMs).unref()
}
