/** The environment that passes this process's shifted clock and time zone to a child. */
export function clockEnv(): Record<string, string> {
  const names = ['TZ', 'LD_PRELOAD', 'CLOCK_SHIFT_SECONDS']
  return Object.fromEntries(names.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])))
}
