/** Prints durations from now on; nothing depends on them. */
export function startStopwatch(): (what: string) => void {
  const begun = performance.now()
  return (what) => process.stdout.write(`${what}: ${((performance.now() - begun) / 1000).toFixed(0)} s\n`)
}
