import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** V8's young generation takes up to 64 MB under load, and shrinks only when it is collected. At rest, that takes hours. */
const INTERVAL_MS = 60_000

setFlagsFromString('--expose-gc')
const collect: NodeJS.GCFunction = runInNewContext('gc')

/** Lets V8 shrink its young generation, which it does if the process has allocated little in between. */
export function shrinkWhenIdle(intervalMs = INTERVAL_MS): void {
  setInterval(() => collect({ type: 'minor', execution: 'sync' }), intervalMs).unref()
}
