import { Worker } from 'node:worker_threads'

const BEAT_MS = 1_000

/**
 * Ends the process when its event loop stands still for two minutes: WebAssembly that never returns lets no signal
 * through, and a supervisor that only looks whether the process lives would leave it so.
 */
export function startWatchdog(): void {
  const beats = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))
  setInterval(() => Atomics.add(beats, 0, 1), BEAT_MS).unref()
  new Worker(new URL('watchdog-worker.ts', import.meta.url), { workerData: beats }).unref()
}
