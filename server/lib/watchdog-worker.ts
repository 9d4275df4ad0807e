import { writeSync } from 'node:fs'
import { workerData } from 'node:worker_threads'

const CHECK_MS = 5_000
/** Checks are counted, not time: none happens while the process or the machine is suspended. */
const SILENT_CHECKS = 24

const beats: unknown = workerData
if (!(beats instanceof Int32Array)) throw new TypeError('The watchdog has nothing to watch.')
let last = 0
let silentChecks = 0

setInterval(() => {
  const now = Atomics.load(beats, 0)
  silentChecks = now === last ? silentChecks + 1 : 0
  last = now
  if (silentChecks < SILENT_CHECKS) return
  try {
    // The thread that stands still would have to pass on what is written to process.stderr.
    writeSync(2, 'The server has not moved for two minutes, and ends itself. What it confirmed is kept.\n')
  } finally {
    process.kill(process.pid, 'SIGKILL') // a worker can end its process in no other way
  }
}, CHECK_MS)
