import { isMainThread } from 'node:worker_threads'

/** Preloaded into a server: a signal makes it hang as WebAssembly can, and its other threads count ten times as fast. */
if (isMainThread)
  process.on('SIGUSR2', () => {
    for (;;);
  })
else {
  const start = setInterval
  Object.assign(globalThis, { setInterval: (act: () => void, ms: number) => start(act, ms / 10) })
}
