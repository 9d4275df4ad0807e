/** Prints how long something took since now, which nothing is judged by. */
export function startStopwatch(): (what: string) => void {
  const begun = performance.now()
  return (what) => process.stdout.write(`${what}: ${((performance.now() - begun) / 1000).toFixed(0)} s\n`)
}
