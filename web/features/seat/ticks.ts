const TICK_MS = 1_000

/** Calls back once a second, in a hidden page too, until the returned function is called. */
export function startTicks(tick: () => void): () => void {
  if (!('Worker' in globalThis)) {
    const timer = setInterval(tick, TICK_MS)
    return () => clearInterval(timer)
  }
  const worker = new Worker(new URL('./ticks.worker.ts', import.meta.url), { type: 'module' })
  worker.onmessage = tick
  return () => worker.terminate()
}
