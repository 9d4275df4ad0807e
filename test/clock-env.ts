/** What a child process needs to have this one's clock and time zone, where a run of the tests has shifted them. */
export function clockEnv(): Record<string, string> {
  const names = ['TZ', 'LD_PRELOAD', 'CLOCK_SHIFT_SECONDS']
  return Object.fromEntries(names.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])))
}
