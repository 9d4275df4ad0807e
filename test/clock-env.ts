/** The environment that gives a child process this one's shifted clock and time zone. */
export function clockEnv(): Record<string, string> {
  const names = ['TZ', 'LD_PRELOAD', 'CLOCK_SHIFT_SECONDS']
  return Object.fromEntries(names.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])))
}
